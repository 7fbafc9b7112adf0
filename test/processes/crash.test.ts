import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Order } from "vitrine";
import { forkable } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { databases } from "./databases.ts";
import { ledgerGateway, readLedger, writeEntry } from "./ledger-gateway.ts";

/** `npm test` makes a few purchases; CRASH_PURCHASES=1000 makes a thousand. */
const purchases = Number(process.env["CRASH_PURCHASES"] ?? 14);
const sessionsAtOnce = 50;
/** The long form takes an hour where the machine has other work. */
const longestMs = Math.max(180_000, purchases * 4_000);

/** What the provider holds of an order's money, by its own books. */
function heldByOrder(ledger: string): ReadonlyMap<string, number> {
  const held = new Map<string, number>();
  const signs = { take: 1, refund: -1, open: 0, cancel: 0, forget: 0 };
  for (const { what, order_id, amount } of readLedger(ledger))
    held.set(order_id, (held.get(order_id) ?? 0) + signs[what] * amount);
  return held;
}

// Both databases run at once, because each mostly waits for processes that start.
describe.concurrent.each(databases)("processes killed while money moves, on %s", (_name, open) => {
  test("afterwards the books agree with the provider's, order by order", {
    timeout: longestMs,
  }, async (context) => {
    const { args, storage } = open(context);
    await storage.migrate();
    const ledger = join(freshFolder(), "provider.jsonl");
    writeFileSync(ledger, "");

    let offset = 0;
    const shop = await createShop(storage, {
      limits: { checkout: null },
      now: () => Date.now() + offset,
      gateways: [ledgerGateway(ledger, () => {})],
    });
    const where = { store_id: shop.a.id, livemode: false };
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: purchases });

    let left: readonly string[] = [];
    const start = await forkable("test/processes/crash-worker.ts");
    let kills = 0;
    /** Runs a worker to its end, and says whether it was killed. */
    const run = async (work: string, ...given: readonly string[]): Promise<boolean> => {
      const child = start([...args, ledger, shop.a.id, shop.a.method_id, work, ...given]);
      child.on("message", ({ token }: { token: string }) => {
        left = left.slice(left.indexOf(token) + 1);
      });
      const [code, signal] = await once(child, "exit");
      if (signal === "SIGKILL") kills += 1;
      else expect(code).toBe(0);
      return signal === "SIGKILL";
    };

    // A session lives for half an hour, and the long form takes longer.
    for (let bought = 0; bought < purchases; bought += sessionsAtOnce) {
      const count = Math.min(sessionsAtOnce, purchases - bought);
      const sessions = [];
      for (let at = 0; at < count; at += 1) sessions.push(await shop.session());
      left = sessions.map((session) => shop.tokenOf(session));
      while (left.length > 0) await run("buy", ...left);
    }
    for (const entry of readLedger(ledger))
      if (entry.what === "open" && entry.id.charCodeAt(20) % 2 === 0)
        if (!readLedger(ledger).some(({ id, what }) => id === entry.id && what === "cancel"))
          writeEntry(ledger, { ...entry, what: "take" });
    for (const hours of [0.5, 2, 4, 8, 30])
      while (await run("maintain", String(hours * 3_600_000)));
    expect(kills).toBeGreaterThan(0);

    // A return or a question that a kill interrupted is due again up to a day later.
    for (const hours of [31, 44, 56]) {
      offset = hours * 3_600_000;
      await Promise.all([shop.storefront.runMaintenance(), shop.storefront.runMaintenance()]);
    }
    const held = heldByOrder(ledger);
    const orders = await allOrders(shop);
    let sold = 0;
    for (const order of orders) {
      expect(["paid", "failed", "partially_refunded"]).toContain(order.status);
      if (order.status !== "failed") sold += 1;

      const payments = await shop.storefront.orders.listPayments(order.id, where);
      const kept = payments
        .filter(({ gateway }) => gateway === "sandbox")
        .reduce((sum, { amount, amount_returned }) => sum + amount - amount_returned, 0);
      const found = { id: order.id, states: payments.map(({ status }) => status) };
      const booked = kept - order.amount_refunded;
      expect({ ...found, booked }).toEqual({ ...found, booked: held.get(order.id) ?? 0 });
    }

    const entries = readLedger(ledger).map(({ what, id }) => `${what} ${id}`);
    expect(new Set(entries).size).toBe(entries.length);
    const events = await storage.webhooks.listEvents({ ...where, limit: 10_000 });
    const types = events.outcome === "listed" ? events.events.map(({ type }) => type) : [];
    expect(types.filter((type) => type === "order.created")).toHaveLength(orders.length);
    expect(types.filter((type) => type === "order.paid")).toHaveLength(sold);
    const [product] = (await storage.checkout.loadCart(where, [shop.product.id], null)).products;
    expect(product?.on_hand).toBe(purchases - sold);
    await shop.storefront.close();
  });
});

async function allOrders(shop: Shop): Promise<readonly Order[]> {
  const orders: Order[] = [];
  let cursor = "";
  for (let more = true; more; ) {
    const { body } = await shop.get(`/orders?limit=100${cursor}`, { key: shop.a.test.sec });
    orders.push(...body.data);
    more = body.has_more;
    cursor = `&starting_after=${body.next_cursor}`;
  }
  return orders;
}
