import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type pg from "pg";

/** A worker of a cluster on this machine. */
export interface Worker {
  /** `host:port`. */
  readonly id: string;
  readonly pid: number;
  readonly folder: string;
  readonly binaries: string;
  readonly user: string;
}

const run = promisify(execFile);

/** Asks each worker for its process and its folder. */
export async function findWorkers(pool: pg.Pool): Promise<readonly Worker[]> {
  const ask = `select json_build_object(
    'folder', current_setting('data_directory'),
    'pid', cast(split_part(pg_read_file('postmaster.pid'), chr(10), 1) as integer),
    'binaries', (select setting from pg_config where name = 'BINDIR'))`;
  const { rows } = await pool.query("select * from run_command_on_workers($1)", [ask]);

  const workers: Worker[] = [];
  for (const { nodename, nodeport, success, result } of rows) {
    if (!success) throw new Error(`Worker ${nodename}:${nodeport}: ${result}`);
    const found = JSON.parse(result);
    const { stdout } = await run("stat", ["-c", "%U", found.folder]);
    workers.push({ ...found, id: `${nodename}:${nodeport}`, user: stdout.trim() });
  }
  if (workers.length < 2) throw new Error("These tests need two workers on this machine.");
  return workers;
}

/** Ends the server at once, without a checkpoint: it recovers from its log when it starts. */
export const kill = ({ pid }: Worker): boolean => process.kill(pid, "SIGQUIT");

/** Starts a killed worker again and resolves when it answers. */
export async function revive({ binaries, folder, user }: Worker): Promise<void> {
  const command = [`${binaries}/pg_ctl`, "-D", folder, "-l", `${folder}.log`, "-w", "start"];
  // PostgreSQL refuses to run as root.
  const asOwner = process.getuid?.() === 0 ? ["runuser", "-u", user, "--", ...command] : command;
  const [program = "", ...rest] = asOwner;
  await run(program, rest);
}
