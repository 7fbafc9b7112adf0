import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Load, load, warm } from "./load.ts";
import { alternate } from "./measure.ts";
import { dropDatabase, newDatabase, settle } from "./postgres.ts";
import { atLeast, type Options, type Row, type Target } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { notes, type Work, works } from "./works.ts";

/**
 * Measures reads and checkout sessions on each storage: the library against the hand-written limit
 * and against what a developer writes.
 */
export async function benchHttp(options: Options): Promise<Row[]> {
  const rows = [...(await onSqlite(options)), ...(await onPostgres(options))];
  return options.quick ? rows : [...rows, ...(await inMemory(options))];
}

type Sides = Readonly<Record<string, () => Promise<Served>>>;

const quickly: readonly string[] = ["vitrine", "limit", "by hand"];

const sidesOf = ({ quick }: Options, sides: Sides): Sides =>
  quick
    ? Object.fromEntries(Object.entries(sides).filter(([name]) => quickly.includes(name)))
    : sides;

const cold = "vitrine, caches off";
const onNodeSqlite = "vitrine, caches off, node:sqlite";
const limited = "vitrine, limit on";

/** Starts the library on each host. The hosts of one database share its rows. */
function onEachHost(
  settings: object,
  shared: boolean,
  more: Readonly<Record<string, object>> = {},
): Sides {
  let filled: Promise<Served> | undefined;
  const start = (own: object) => async (): Promise<Served> => {
    if (!shared) return startServer("vitrine.ts", { ...settings, ...own });
    const first = filled;
    filled ??= startServer("vitrine.ts", { ...settings, ...own });
    if (!first) return filled;
    const { key, slugs, product_ids } = await first;
    const server = await startServer("vitrine.ts", { ...settings, ...own, filled: { key } });
    return { ...server, slugs, product_ids };
  };
  const sides = {
    vitrine: { caches: true },
    "vitrine, Fastify": { caches: true, host: "Fastify" },
    "vitrine, Express": { caches: true, host: "Express" },
    "vitrine, handler(Request)": { caches: true, host: "handler(Request)" },
    ...more,
  };
  return Object.fromEntries(Object.entries(sides).map(([name, own]) => [name, start(own)]));
}

const hasNodeSqlite = process.getBuiltinModule?.("node:sqlite" as string) !== undefined;

async function onSqlite(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const settings = (name: string) => ({ kind: "sqlite", where: join(folder, `${name}.sqlite`) });
  const sides: Sides = {
    ...onEachHost(settings("vitrine"), true, {
      [cold]: { caches: false },
      [limited]: { caches: true, limited: true },
      ...(hasNodeSqlite ? { [onNodeSqlite]: { caches: false, kind: "node:sqlite" } } : {}),
    }),
    limit: () => startServer("limit.ts", settings("limit")),
    "by hand": () => startServer("by-hand.ts", settings("by-hand")),
  };
  const ours = (factors: Readonly<Record<string, number>>): Target[] => [
    ...atLeast("vitrine", factors),
    ...atLeast("vitrine, Fastify", factors),
  ];
  try {
    return await withServers(sidesOf(options, sides), async (servers) => {
      const measured = measuring("SQLite", servers, options);
      const fast = { limit: 2.5, "by hand": 5 };
      return [
        await measured(
          "GET /products?limit=20",
          [...ours(fast), ...atLeast(cold, { limit: 1.5 })],
          limited,
        ),
        await measured(
          "GET /products/{slug}",
          [...ours({ limit: 1.5, "by hand": 3.5 }), ...atLeast(cold, { limit: 0.9 })],
          limited,
        ),
        await measured("POST /checkout/sessions", [...ours(fast), ...atLeast(limited, fast)], cold),
        ...(servers[cold] ? [await revalidation(servers[cold], options)] : []),
      ];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onPostgres(options: Options): Promise<Row[]> {
  const databases: string[] = [];
  const database = async (): Promise<{ kind: string; where: string }> => {
    const where = await newDatabase();
    databases.push(where);
    return { kind: "postgres", where };
  };
  const settled = (file: string) => async (): Promise<Served> => {
    const settings = await database();
    const server = await startServer(file, settings);
    await settle(settings.where);
    return server;
  };
  const own = await database();
  const { vitrine: first, ...others } = onEachHost(own, true, { [cold]: { caches: false } });
  const sides: Sides = {
    async vitrine() {
      const server = await (first as () => Promise<Served>)();
      await settle(own.where);
      return server;
    },
    ...others,
    limit: settled("limit.ts"),
    "by hand": settled("by-hand.ts"),
  };
  try {
    return await withServers(sidesOf(options, sides), async (servers) => {
      const measured = measuring("PostgreSQL", servers, options);
      return [
        await measured("GET /products?limit=20", [
          ...atLeast("vitrine", { limit: 2.5 }),
          ...atLeast(cold, { limit: 1 }),
        ]),
        await measured("GET /products/{slug}", [
          ...atLeast("vitrine", { limit: 1.5 }),
          ...atLeast(cold, { limit: 0.8 }),
        ]),
        await measured("POST /checkout/sessions", atLeast("vitrine", { limit: 0.8 }), cold),
      ];
    });
  } finally {
    for (const database of databases) await dropDatabase(database);
  }
}

async function inMemory(options: Options): Promise<Row[]> {
  const sides: Sides = {
    ...onEachHost({ kind: "memory", where: "" }, false),
    limit: () => startServer("limit.ts", { kind: "memory", where: "" }),
  };
  return withServers(sides, async (servers) => {
    const measured = measuring("memory", servers, options);
    const rows: Row[] = [];
    for (const work of Object.keys(works) as Work[])
      rows.push(await measured(work, atLeast("vitrine", { limit: 0.9 })));
    return rows;
  });
}

/** Measures works on the servers of one storage, except on the side `without`. */
function measuring(
  storage: string,
  servers: Readonly<Record<string, Served>>,
  { seconds, rounds }: Options,
) {
  return async (work: Work, targets: readonly Target[], without?: string): Promise<Row> => {
    const sides = Object.entries(servers).filter(([name]) => name !== without);
    for (const [, server] of sides) await warm(server, works[work](server, seconds));
    const runs = sides.map(([name, server]) => [
      name,
      async () => (await load(server, works[work](server, seconds))).perSecond,
    ]);
    const ours = servers["vitrine"] as Served;
    const asked = works[work](ours, seconds);
    const measured = await withServers(
      asked.body ? {} : { ceiling: () => ready(ours, asked) },
      ({ ceiling }) => {
        if (ceiling) runs.push(["bytes ready", async () => (await load(ceiling, asked)).perSecond]);
        return alternate(rounds, Object.fromEntries(runs));
      },
    );
    return {
      work: `${work}, ${storage}`,
      unit: "per second",
      ...measured,
      base: "limit",
      targets,
      note: notes[work],
    };
  };
}

/** Starts a server that sends what `server` answers to the first address, whatever is asked. */
async function ready(server: Served, { paths }: Load): Promise<Served> {
  const answer = await fetch(`${server.url}/v1${paths[0]}`, {
    headers: { authorization: `Bearer ${server.key}` },
  });
  const {
    date: _date,
    connection: _connection,
    "keep-alive": _keepAlive,
    ...headers
  } = Object.fromEntries(answer.headers);
  return startServer("ready.ts", { headers, body: await answer.text(), key: server.key });
}

/** Asks for each page of the list with its ETag and without. */
async function revalidation(server: Served, { seconds, rounds }: Options): Promise<Row> {
  const { paths } = works["GET /products?limit=20"](server, seconds);
  const tags = new Map<string, string>();
  for (const path of new Set(paths)) {
    const answer = await fetch(`${server.url}/v1${path}`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    await answer.arrayBuffer();
    tags.set(path, answer.headers.get("etag") ?? "");
  }
  const headers = (path: string): Record<string, string> => ({
    "if-none-match": tags.get(path) ?? "",
  });
  const measured = await alternate(rounds, {
    "vitrine, 304": async () =>
      (await load(server, { paths, headers, seconds, status: 304 })).perSecond,
    "uncached 200": async () => (await load(server, { paths, seconds, status: 200 })).perSecond,
  });
  const targets = atLeast("vitrine, 304", { "uncached 200": 2 });
  return {
    work: "304 on a catalog route, caches off, SQLite",
    unit: "per second",
    ...measured,
    base: "uncached 200",
    targets,
  };
}
