import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, createServer, get, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { toNode } from "../adapters/http/node.ts";
import { postgresStorage } from "../adapters/storage/postgres.ts";
import { sqliteStorage } from "../adapters/storage/sqlite.ts";
import { memoryStorage } from "../src/memory/memory-storage.ts";
import type { Storage } from "../src/storage/types.ts";
import { openCheckoutShop } from "../test/support/checkout-shop.ts";
import { alternate, msPerCall } from "./measure.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row } from "./row.ts";

const api = "GET /orders/{id}";
const form = "checkout page, form";
const code = "checkout page, QR code";
const uncounted = 3_000;

/**
 * Measures the checkout page beside an API route that reads the same order. It
 * gives medians of requests over one kept-alive connection, one after another.
 */
export async function benchCheckoutPage(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const database = await newDatabase();
  const pool = new pg.Pool({ connectionString: database, max: 4 });
  // The database may be dropped before the last connection has closed.
  pool.on("error", () => {});
  const storages: Readonly<Record<string, Storage>> = {
    memory: memoryStorage(),
    SQLite: sqliteStorage(join(folder, "page.sqlite")),
    PostgreSQL: postgresStorage(pool),
  };

  try {
    const rows: Row[] = [];
    for (const [name, storage] of Object.entries(storages)) {
      await storage.migrate();
      rows.push(await measure(name, storage, options));
      await storage.close();
    }
    return rows;
  } finally {
    await pool.end();
    await dropDatabase(database);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(name: string, storage: Storage, options: Options): Promise<Row> {
  const shop = await openCheckoutShop({ storage });
  const { serve, checkoutPage, checkout } = shop.storefront;
  const { key } = await shop.owner.keys.create({
    store_id: shop.store.id,
    livemode: true,
    kind: "secret",
  });

  const open = await shop.session();
  const waiting = await shop.session();
  const payment_method_id = shop.methods.pix.id;
  const { order } = await checkout.submit(waiting.token, { payment_method_id });

  const listeners = { api: toNode({ serve }), page: toNode(checkoutPage) };
  const server = createServer((req, res) =>
    listeners[req.url?.startsWith("/v1/") ? "api" : "page"](req, res),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, headers: Record<string, string>) => () =>
    answered(server, { agent, path, headers });

  const reader = { "accept-language": "pt-BR,pt;q=0.9,en;q=0.8" };
  const asked = {
    [api]: ask(`/v1/orders/${order.id}`, { authorization: `Bearer ${key}` }),
    [form]: ask(new URL(open.url).pathname, reader),
    [code]: ask(new URL(waiting.url).pathname, reader),
  };
  // The page is many small functions, which are compiled after some thousand requests.
  for (const answer of Object.values(asked))
    for (let count = 0; count < uncounted; count += 1) await answer();

  const sides = Object.fromEntries(
    Object.entries(asked).map(([side, answer]) => [
      side,
      () => msPerCall(options.seconds, 20_000, answer),
    ]),
  );
  const measured = await alternate(options.rounds, sides);
  agent.destroy();
  server.close();
  const targets = [form, code].map((side) => ({ side, base: api, atMost: 2 }));
  return { work: `checkout page, ${name}`, unit: "ms", ...measured, base: api, targets };
}

interface Asked {
  readonly agent: Agent;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Waits for the whole answer. */
async function answered(server: Server, { agent, path, headers }: Asked): Promise<void> {
  const { port } = server.address() as AddressInfo;
  const request = get({ host: "127.0.0.1", port, agent, path, headers });
  const [response] = await once(request, "response");
  response.resume();
  await once(response, "end");
  if (response.statusCode !== 200) throw new Error(`The answer was ${response.statusCode}.`);
}
