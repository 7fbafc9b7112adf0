import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

/** Clock ticks of Linux in a second. */
const ticksPerSecond = 100;

/** Finds the servers of a cluster on this machine: each name with the process that began it. */
export async function serversOf(url: string): Promise<ReadonlyMap<string, number>> {
  const pid = "cast(split_part(pg_read_file('postmaster.pid'), chr(10), 1) as integer)";
  const client = new pg.Client(url);
  await client.connect();
  try {
    const own = await client.query(`select ${pid} as pid`);
    const workers = await client.query("select nodeport, result from run_command_on_workers($1)", [
      `select ${pid}`,
    ]);
    return new Map([
      ["coordinator", own.rows[0].pid],
      ...workers.rows.map(({ result }, at) => [`worker ${at + 1}`, Number(result)] as const),
    ]);
  } finally {
    await client.end();
  }
}

/** Gives the processor seconds of a server so far: of its first process and of all its children. */
export function cpuSeconds(server: number): number {
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const times = timesOf(name);
    if (!times) continue;
    // The first process also counts the time of children that have ended.
    if (Number(name) === server) ticks += times.own + times.ended;
    else if (times.parent === server) ticks += times.own;
  }
  return ticks / ticksPerSecond;
}

/** Finds the processes that these servers have started: one for each connection, and a few more. */
export const backendsOf = (servers: readonly number[]): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && servers.includes(timesOf(name)?.parent ?? 0))
    .map(Number);

/** Gives the processor time of these processes so far, finer than the ticks of `cpuSeconds`. */
export const cpuNanoseconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ranFor(pid), 0);

const ran = new Map<number, number>();

function ranFor(pid: number): number {
  try {
    ran.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]));
  } catch {
    // It has ended meanwhile: its last time stays in the sum.
  }
  return ran.get(pid) ?? 0;
}

function timesOf(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return { parent, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return null; // it has ended meanwhile
  }
}
