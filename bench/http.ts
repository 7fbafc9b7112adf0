import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { alternate, load, type Served, startServer, zipf } from "./measure.ts";
import type { Row } from "./results.ts";
import { returnUrl } from "./servers/shared.ts";

/** Reads and checkout sessions on SQLite: the library against the hand-written limit and what a developer writes. Durability is FULL on every side. */
export async function benchHttp({ seconds, rounds }: { readonly seconds: number; readonly rounds: number }): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const file = (name: string): string => join(folder, `${name}.sqlite`);
  const servers: Record<string, Served> = {
    vitrine: await startServer("vitrine.ts", "sqlite", file("vitrine"), "node", "cache"),
    "vitrine, caches off": await startServer("vitrine.ts", "sqlite", file("cold"), "node", "cold"),
    "vitrine, Fastify": await startServer("vitrine.ts", "sqlite", file("fastify"), "fastify", "cache"),
    "vitrine, memory": await startServer("vitrine.ts", "memory", "", "node", "cache"),
    limit: await startServer("limit.ts", file("limit")),
    "by hand": await startServer("by-hand.ts", file("by-hand")),
  };
  const against = async (work: string, run: (server: Served) => Promise<number>, names = Object.keys(servers)): Promise<Row> => {
    const sides = Object.fromEntries(names.map((name) => [name, () => run(servers[name] as Served)]));
    return { work, perSecond: await alternate(rounds, sides), base: "limit" };
  };
  try {
    const pages = zipf(100, 400).map((page) => `/products?limit=20&page=${page + 1}`);
    const rows = [
      await against("GET /products?limit=20", (server) => load(server, { paths: pages, seconds, status: 200 })),
      await against("GET /products/{slug}", (server) =>
        load(server, { paths: zipf(server.slugs.length, 400).map((at) => `/products/${server.slugs[at]}`), seconds, status: 200 }),
      ),
      await against(
        "POST /checkout/sessions",
        (server) =>
          load(server, {
            method: "POST",
            paths: ["/checkout/sessions"],
            body: (index) =>
              JSON.stringify({
                items: [{ product_id: server.product_ids[index % 1_000], quantity: 1 }],
                success_url: returnUrl,
                cancel_url: returnUrl,
              }),
            seconds,
            status: 201,
          }),
        Object.keys(servers).filter((name) => name !== "vitrine, caches off"),
      ),
    ];
    const etag = async (server: Served): Promise<string> =>
      (await fetch(`${server.url}/v1/products?limit=20`, { headers: { authorization: `Bearer ${server.key}` } })).headers.get("etag") ?? "";
    const fresh = servers["vitrine, caches off"] as Served;
    const headers = { "if-none-match": await etag(fresh) };
    const revalidated = await alternate(rounds, {
      "304": () => load(fresh, { paths: ["/products?limit=20"], headers, seconds, status: 304 }),
      "uncached 200": () => load(fresh, { paths: ["/products?limit=20"], seconds, status: 200 }),
    });
    return [...rows, { work: "304 on a catalog route, caches off", perSecond: revalidated, base: "uncached 200" }];
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
