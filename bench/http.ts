import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Load, load } from "./load.ts";
import { alternate } from "./measure.ts";
import { dropDatabase, newDatabase, settle } from "./postgres.ts";
import { atLeast, type Options, type Row, type Target } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { notes, type Work, works } from "./works.ts";

/** Reads and checkout sessions on each storage: the library against the hand-written limit and what a developer writes. */
export async function benchHttp(options: Options): Promise<Row[]> {
  return [...(await onSqlite(options)), ...(await onPostgres(options)), ...(await inMemory(options))];
}

type Sides = Readonly<Record<string, () => Promise<Served>>>;

async function onSqlite(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const start = (name: string, file: string, more: object = {}) => [
    name,
    () => startServer(file, { kind: "sqlite", where: join(folder, `${name}.sqlite`), caches: true, ...more }),
  ];
  const sides: Sides = Object.fromEntries([
    start("vitrine", "vitrine.ts"),
    start("vitrine, Fastify", "vitrine.ts", { fastify: true }),
    start("vitrine, caches off", "vitrine.ts", { caches: false }),
    start("vitrine, limit on", "vitrine.ts", { limited: true }),
    start("limit", "limit.ts"),
    start("by hand", "by-hand.ts"),
  ]);
  const ours = (factors: Readonly<Record<string, number>>): Target[] => [
    ...atLeast("vitrine", factors),
    ...atLeast("vitrine, Fastify", factors),
  ];
  try {
    return await withServers(sides, async (servers) => {
      const measured = measuring("SQLite", servers, options);
      const [limited, cold] = ["vitrine, limit on", "vitrine, caches off"];
      return [
        await measured("GET /products?limit=20", [...ours({ limit: 2.5, "by hand": 5 }), ...atLeast(cold, { limit: 1.5 })], limited),
        await measured("GET /products/{slug}", [...ours({ limit: 1.5, "by hand": 3.5 }), ...atLeast(cold, { limit: 0.9 })], limited),
        await measured(
          "POST /checkout/sessions",
          [...ours({ limit: 2.5, "by hand": 5 }), ...atLeast(limited, { limit: 2.5, "by hand": 5 })],
          cold,
        ),
        await revalidation(servers[cold] as Served, options),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onPostgres(options: Options): Promise<Row[]> {
  const databases: string[] = [];
  const start =
    (file: string, more: object = {}) =>
    async (): Promise<Served> => {
      const where = await newDatabase();
      databases.push(where);
      const server = await startServer(file, { kind: "postgres", where, caches: true, ...more });
      await settle(where);
      return server;
    };
  const sides: Sides = {
    vitrine: start("vitrine.ts"),
    "vitrine, caches off": start("vitrine.ts", { caches: false }),
    limit: start("limit.ts"),
    "by hand": start("by-hand.ts"),
  };
  try {
    return await withServers(sides, async (servers) => {
      const measured = measuring("PostgreSQL", servers, options);
      const cold = "vitrine, caches off";
      return [
        await measured("GET /products?limit=20", [...atLeast("vitrine", { limit: 2.5 }), ...atLeast(cold, { limit: 1 })]),
        await measured("GET /products/{slug}", [...atLeast("vitrine", { limit: 1.5 }), ...atLeast(cold, { limit: 0.8 })]),
        await measured("POST /checkout/sessions", atLeast("vitrine", { limit: 0.8 }), cold),
      ];
    });
  } finally {
    for (const database of databases) await dropDatabase(database);
  }
}

async function inMemory(options: Options): Promise<Row[]> {
  const sides: Sides = {
    vitrine: () => startServer("vitrine.ts", { kind: "memory", where: "", caches: true }),
    limit: () => startServer("limit.ts", { kind: "memory", where: "" }),
  };
  return withServers(sides, async (servers) => {
    const measured = measuring("memory", servers, options);
    const rows: Row[] = [];
    for (const work of Object.keys(works) as Work[]) rows.push(await measured(work, atLeast("vitrine", { limit: 0.9 })));
    return rows;
  });
}

/** Measures works on the servers of one storage; `without` is a side that the work makes no difference to. */
function measuring(storage: string, servers: Readonly<Record<string, Served>>, { seconds, rounds }: Options) {
  return async (work: Work, targets: readonly Target[], without?: string): Promise<Row> => {
    const sides = Object.entries(servers).filter(([name]) => name !== without);
    const runs = sides.map(([name, server]) => [name, async () => (await load(server, works[work](server, seconds))).perSecond]);
    const ours = servers["vitrine"] as Served;
    const asked = works[work](ours, seconds);
    const values = await withServers(asked.body ? {} : { ceiling: () => ready(ours, asked) }, ({ ceiling }) => {
      if (ceiling) runs.push(["bytes ready", async () => (await load(ceiling, asked)).perSecond]);
      return alternate(rounds, Object.fromEntries(runs));
    });
    return { work: `${work}, ${storage}`, unit: "per second", values, base: "limit", targets, note: notes[work] };
  };
}

/** Sends what `server` answers to the first address, whatever is asked. */
async function ready(server: Served, { paths }: Load): Promise<Served> {
  const answer = await fetch(`${server.url}/v1${paths[0]}`, { headers: { authorization: `Bearer ${server.key}` } });
  const { date: _date, connection: _connection, "keep-alive": _keepAlive, ...headers } = Object.fromEntries(answer.headers);
  return startServer("ready.ts", { headers, body: await answer.text(), key: server.key });
}

async function revalidation(server: Served, { seconds, rounds }: Options): Promise<Row> {
  const paths = ["/products?limit=20"];
  const first = await fetch(`${server.url}/v1${paths[0]}`, { headers: { authorization: `Bearer ${server.key}` } });
  const headers = { "if-none-match": first.headers.get("etag") ?? "" };
  const values = await alternate(rounds, {
    "vitrine, 304": async () => (await load(server, { paths, headers, seconds, status: 304 })).perSecond,
    "uncached 200": async () => (await load(server, { paths, seconds, status: 200 })).perSecond,
  });
  const targets = atLeast("vitrine, 304", { "uncached 200": 2 });
  return { work: "304 on a catalog route, caches off, SQLite", unit: "per second", values, base: "uncached 200", targets };
}
