import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Storage } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { forkable } from "../../support/bundle.ts";
import { freshFolder } from "../../support/demo.ts";
import { postgresUrl } from "../../support/postgres-url.ts";
import { createShop } from "../../support/shop.ts";
import { openPostgres } from "../../support/storages.ts";
import { shuffledWithRepeats } from "../outbox.ts";
import { heldOf, receivePix } from "./books.ts";
import type { CrashJob } from "./crash-job.ts";
import { callbackSecret, type FakeBank } from "./fake-bank.ts";
import { handleBankMessage } from "./handle-message.ts";
import { endBanksAfterEach, gatewayOf, judgedBank } from "./setup.ts";

endBanksAfterEach();

/** `npm test` makes a few purchases; PIX_PURCHASES=1000 makes a thousand on each storage. */
const purchases = Number(process.env["PIX_PURCHASES"] ?? 8);
const batch = 50;
const hourMs = 3_600_000;

interface Opened extends Pick<CrashJob, "database" | "schema"> {
  readonly storage: Storage;
}

const storages: readonly [string, () => Promise<Opened>][] = [
  [
    "sqlite",
    async () => {
      const database = join(freshFolder(), "shop.sqlite");
      return { database, schema: "", storage: sqliteStorage(database) };
    },
  ],
  [
    "postgres",
    async () => {
      const schema = `pix_crash_${process.pid}`;
      const storage = await openPostgres({ schema });
      return { database: await postgresUrl(), schema, storage };
    },
  ],
];

/** What the bank holds of each Pix, by its own books. */
const heldByPix = (bank: FakeBank): ReadonlyMap<string, number> =>
  new Map([...bank.books().received].map(([id, pix]) => [id, heldOf(pix)]));

test.each(storages)(
  "after processes were killed while money moved, the books agree with the bank's, on %s",
  async (_name, open) => {
    let offset = 0;
    const now = (): number => Date.now() + offset;
    const bank = await judgedBank({
      now,
      deliver: async (message) =>
        Math.random() < 0.2 ? 500 : handleBankMessage(shop.storefront, message),
    });
    const { storage, database, schema } = await open();
    await storage.migrate();
    const shop = await createShop(storage, {
      limits: { checkout: null },
      now,
      gateways: [{ ...gatewayOf(bank, { now }), returnDuplicates: true }],
    });
    const { owner } = shop.storefront;
    const where = { store_id: shop.a.id, livemode: false };
    await owner.products.update(shop.a.id, shop.product.id, { stock: purchases });
    const pix = { type: "pix", name: "Pix", currencies: ["BRL"], gateway: "pix" } as const;
    const { id: method_id } = await owner.paymentMethods.create(shop.a.id, pix);

    const { baseUrl } = bank;
    const callback = { secret: callbackSecret };
    const job = { database, schema, method_id, store_id: shop.a.id };
    const start = await forkable("test/providers/pix/crash-worker.ts");
    let left: string[] = [];
    let kills = 0;
    /** Runs a worker to its end, and says whether it was killed. */
    const run = async (tokens: readonly string[]): Promise<boolean> => {
      const given: CrashJob = {
        ...job,
        pix: { baseUrl, account: bank.account(), callback },
        tokens,
        offset,
      };
      const child = start([JSON.stringify(given)]);
      child.on("message", ({ token }: { token: string }) => {
        left = left.slice(left.indexOf(token) + 1);
      });
      const [code, signal] = await once(child, "exit");
      await bank.outbox.deliver(shuffledWithRepeats);
      if (signal === "SIGKILL") kills += 1;
      else expect(code).toBe(0);
      return signal === "SIGKILL";
    };

    // A session lives for 30 minutes, so they are made a few at a time.
    for (let made = 0; made < purchases; made += batch) {
      for (let at = made; at < Math.min(made + batch, purchases); at += 1)
        left.push(shop.tokenOf(await shop.session()));
      while (left.length > 0) await run(left);
    }
    // Some codes are paid once more by buyers who had read them before.
    for (const charge of bank.books().charges.values())
      if (Math.random() < 0.3) receivePix(bank.books(), charge);
    for (const hours of [0.5, 2, 4, 30]) {
      offset = hours * hourMs;
      while (await run([]));
    }
    expect(kills).toBeGreaterThan(0);

    offset = 31 * hourMs;
    for (let round = 0; round < 20 && bank.outbox.waiting.length > 0; round += 1)
      await bank.outbox.deliver(shuffledWithRepeats);
    for (let round = 0; round < 3; round += 1) await shop.storefront.runMaintenance();
    const held = heldByPix(bank);
    const known = new Set<string>();

    let paid = 0;
    for await (const { id, status, amount_refunded } of ordersOf(shop)) {
      if (status !== "failed") paid += 1;
      const all = await shop.storefront.orders.listPayments(id, where);
      const atBank = all.filter(({ gateway }) => gateway === "pix");
      const booked = atBank
        .map((payment) => payment.amount - payment.amount_returned)
        .reduce((sum, amount) => sum + amount, 0);
      const there = atBank
        .map(({ payment_reference }) => held.get(payment_reference) ?? 0)
        .reduce((sum, amount) => sum + amount, 0);
      for (const { payment_reference } of atBank) known.add(payment_reference);
      const kept = booked - amount_refunded;
      expect({ id, status, kept }).toEqual({ id, status, kept: there });
    }
    expect(paid).toBeGreaterThan(0);
    // No Pix came that no order knows of.
    expect([...held.keys()].filter((id) => !known.has(id))).toEqual([]);
    await shop.storefront.close();
  },
  purchases * 3_000 + 60_000,
);

async function* ordersOf(shop: Awaited<ReturnType<typeof createShop>>) {
  let cursor = "";
  for (let more = true; more; ) {
    const { body } = await shop.get(`/orders?limit=100${cursor}`, { key: shop.a.test.sec });
    yield* body.data;
    more = body.has_more;
    cursor = `&starting_after=${body.next_cursor}`;
  }
}
