import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { type PostgresServer, startServer } from "../support/postgres-server.ts";
import { codeOf, createShop, type Shop } from "../support/shop.ts";

describe("the database is restarted at once while purchases run", () => {
  let server: PostgresServer;
  let pool: pg.Pool;
  beforeAll(async () => {
    // A server of this file's own: the restart must not reach other files.
    server = await startServer();
    pool = new pg.Pool({ connectionString: server.url, max: 8 });
    pool.on("error", () => {});
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  test("every call succeeds or is 503, nothing is half-done, and the host goes on without a restart", async () => {
    const storage = postgresStorage(pool);
    await storage.migrate();
    const shop = await createShop(storage, { now: Date.now, limits: { checkout: null } });
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 10_000 });
    const seen: Seen = { sessions: [], paid: [], faults: [] };
    let selling = true;
    const buyers = Promise.all(
      Array.from({ length: 6 }, async () => {
        while (selling) await buy(shop, seen);
      }),
    );
    for (let round = 0; round < 3; round += 1) {
      const before = seen.paid.length;
      // The host has recovered and is under load again.
      await expect.poll(() => seen.paid.length).toBeGreaterThan(before + 5);
      await server.restart();
    }
    const before = seen.paid.length;
    await expect.poll(() => seen.paid.length).toBeGreaterThan(before + 5);
    selling = false;
    await buyers;

    expect(seen.faults).toEqual([]);
    const partition = { store_id: shop.a.id, livemode: false };
    for (const id of seen.sessions)
      expect(await shop.storage.checkout.findSession(partition, id)).not.toBeNull();
    const listed = await shop.storage.orders.listOrders({ ...partition, limit: 100_000 });
    const events = await shop.storage.webhooks.listEvents({ ...partition, limit: 100_000 });
    if (listed.outcome !== "listed" || events.outcome !== "listed") throw new Error("not listed");
    const { orders } = listed;
    const paid = orders.filter(({ status }) => status === "paid");
    const stored = new Set(paid.map(({ id }) => id));
    expect(seen.paid.filter((id) => !stored.has(id))).toEqual([]);
    expect(orders.map(({ number }) => number)).toEqual(
      orders.map((_, index) => orders.length - index),
    );
    expect(events.events.map(({ sequence }) => sequence)).toEqual(
      events.events.map((_, index) => index + 1),
    );
    const count = (type: string): number =>
      events.events.filter((event) => event.type === type).length;
    expect([
      count("order.created"),
      count("order.paid"),
      count("checkout.session.completed"),
    ]).toEqual([orders.length, paid.length, paid.length]);
    // Each sold piece has left the stock, and each open order holds its pieces.
    const { rows } = await pool.query(
      "select stock, held from stock where store_id = $1 and livemode = 0",
      [shop.a.id],
    );
    const held = orders.filter(({ status }) => status === "pending").length;
    expect(rows.map((row) => [Number(row.stock), Number(row.held)])).toEqual([
      [10_000 - paid.length, held],
    ]);
  });
});

interface Seen {
  readonly sessions: string[];
  readonly paid: string[];
  readonly faults: unknown[];
}

async function buy(shop: Shop, seen: Seen): Promise<void> {
  const made = await shop.session();
  if (made.status !== 201) {
    if (made.body.error.code !== "service_unavailable") seen.faults.push(codeOf(made));
    return void (await new Promise((done) => setTimeout(done, 20)));
  }
  seen.sessions.push(made.body.data.id);
  try {
    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
    });
    if (order?.status === "paid") seen.paid.push(order.id);
  } catch (error) {
    if (codeOfError(error) !== "service_unavailable") seen.faults.push(error);
  }
}

const codeOfError = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : error;
