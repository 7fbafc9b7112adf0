import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.ts";
import { alternate, zipf } from "./measure.ts";
import { dropDatabase, newDatabase, settle } from "./postgres.ts";
import { atLeast, type Options, type Row, type Target } from "./row.ts";
import { type Served, startServer, withServers } from "./server.ts";
import { returnUrl } from "./servers/shared.ts";

/** Reads and checkout sessions on each storage: the library against the hand-written limit and what a developer writes. */
export async function benchHttp(options: Options): Promise<Row[]> {
  return [...(await onSqlite(options)), ...(await onPostgres(options)), ...(await inMemory(options))];
}

type Sides = Readonly<Record<string, () => Promise<Served>>>;
type Run = (server: Served) => Promise<number>;

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
      const { list, detail, checkout, revalidation } = works("SQLite", servers, options);
      return [
        await list("vitrine, limit on", [...ours({ limit: 2.5, "by hand": 5 }), ...atLeast("vitrine, caches off", { limit: 1.5 })]),
        await detail("vitrine, limit on", [...ours({ limit: 1.5, "by hand": 3.5 }), ...atLeast("vitrine, caches off", { limit: 0.9 })]),
        await checkout("vitrine, caches off", [
          ...ours({ limit: 2.5, "by hand": 5 }),
          ...atLeast("vitrine, limit on", { limit: 2.5, "by hand": 5 }),
        ]),
        await revalidation("vitrine, caches off"),
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
      const { list, detail, checkout } = works("PostgreSQL", servers, options);
      return [
        await list(null, [...atLeast("vitrine", { limit: 2.5 }), ...atLeast("vitrine, caches off", { limit: 1 })]),
        await detail(null, [...atLeast("vitrine", { limit: 1.5 }), ...atLeast("vitrine, caches off", { limit: 0.8 })]),
        await checkout("vitrine, caches off", atLeast("vitrine", { limit: 0.8 })),
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
    const { list, detail, checkout } = works("memory", servers, options);
    const target = atLeast("vitrine", { limit: 0.9 });
    return [await list(null, target), await detail(null, target), await checkout(null, target)];
  });
}

/** The works of every storage; `without` is a side that the work makes no difference to. */
function works(storage: string, servers: Readonly<Record<string, Served>>, { seconds, rounds }: Options) {
  const against = async (work: string, run: Run, without: string | null, targets: readonly Target[], note?: string): Promise<Row> => {
    const sides = Object.entries(servers).filter(([name]) => name !== without);
    const values = await alternate(rounds, Object.fromEntries(sides.map(([name, server]) => [name, () => run(server)])));
    return { work: `${work}, ${storage}`, unit: "per second", values, base: "limit", targets, ...(note ? { note } : {}) };
  };
  const pages = zipf(100, 400).map((page) => `/products?limit=20&page=${page + 1}`);
  const places = zipf(10_000, 1_000);
  const cached = (paths: readonly unknown[]): string =>
    `${new Set(paths).size} addresses, Zipf: with its cache on, all but the first answer to each in the warm-up come from it until a write.`;
  return {
    list: (without: string | null, targets: readonly Target[]) =>
      against("GET /products?limit=20", each({ paths: pages, seconds, status: 200 }), without, targets, cached(pages)),
    detail: (without: string | null, targets: readonly Target[]) =>
      against(
        "GET /products/{slug}",
        async (server) =>
          (await load(server, { paths: places.map((at) => `/products/${server.slugs[at]}`), seconds, status: 200 })).perSecond,
        without,
        targets,
        cached(places),
      ),
    checkout: (without: string | null, targets: readonly Target[]) =>
      against(
        "POST /checkout/sessions",
        async (server) => {
          const body = (index: number): string => {
            const items = [{ product_id: server.product_ids[index % 1_000], quantity: 1 }];
            return JSON.stringify({ items, success_url: returnUrl, cancel_url: returnUrl });
          };
          return (await load(server, { method: "POST", paths: ["/checkout/sessions"], body, seconds, status: 201 })).perSecond;
        },
        without,
        targets,
        "limit on: each request is another buyer's, so the limit is counted in the database and never reached.",
      ),
    async revalidation(name: string): Promise<Row> {
      const server = servers[name] as Served;
      const paths = ["/products?limit=20"];
      const first = await fetch(`${server.url}/v1${paths[0]}`, { headers: { authorization: `Bearer ${server.key}` } });
      const headers = { "if-none-match": first.headers.get("etag") ?? "" };
      const values = await alternate(rounds, {
        "vitrine, 304": () => each({ paths, headers, seconds, status: 304 })(server),
        "uncached 200": () => each({ paths, seconds, status: 200 })(server),
      });
      const targets = atLeast("vitrine, 304", { "uncached 200": 2 });
      return { work: `304 on a catalog route, caches off, ${storage}`, unit: "per second", values, base: "uncached 200", targets };
    },
  };
}

const each =
  (asked: Parameters<typeof load>[1]): Run =>
  async (server) =>
    (await load(server, asked)).perSecond;
