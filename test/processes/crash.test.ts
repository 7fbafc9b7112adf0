import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { forkable } from "../support/bundle.ts";
import { freshFolder } from "../support/demo.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

const databaseUrl = await postgresUrl();

/** `npm test` makes a few purchases; CRASH_PURCHASES=1000 makes a thousand. */
const purchases = Number(process.env["CRASH_PURCHASES"] ?? 14);
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const databases: readonly (readonly [
  name: string,
  open: () => { args: readonly string[]; storage: Storage },
])[] = [
  [
    "sqlite",
    () => {
      const file = join(freshFolder(), "shop.sqlite");
      return { args: ["sqlite", file, "-"], storage: sqliteStorage(file) };
    },
  ],
  [
    "postgres",
    () => {
      const schema = `c${process.pid}_${Math.floor(performance.now())}`;
      const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
      cleanups.push(() => pool.end());
      return {
        args: ["postgres", databaseUrl, schema],
        storage: postgresStorage(pool, { schema }),
      };
    },
  ],
];

describe.each(databases)(
  "a process killed between the provider's answer and its result, on %s",
  (_name, open) => {
    test("afterwards the orders agree with the provider's books, and each payment is taken once", async () => {
      const { args, storage } = open();
      await storage.migrate();
      const ledger = join(freshFolder(), "provider.txt");
      writeFileSync(ledger, "");
      const taken = (): string[] => readFileSync(ledger, "utf8").split("\n").filter(Boolean);
      let offset = 0;
      const shop = await createShop(storage, {
        limits: { checkout: null },
        now: () => Date.now() + offset,
        gateways: [
          {
            id: "sandbox",
            livemode: false,
            methods: () => [],
            createPayment: () => Promise.reject(new Error("The workers do that.")),
            async getPayment({ id }) {
              const [, amount] =
                taken()
                  .find((line) => line.startsWith(`${id} `))
                  ?.split(" ") ?? [];
              return amount === undefined
                ? null
                : {
                    status: "succeeded",
                    reference: `ref_${id}`,
                    amount: Number(amount),
                    currency: "BRL",
                  };
            },
          },
        ],
      });
      const where = { store_id: shop.a.id, livemode: false };
      await shop.owner.products.update(shop.a.id, shop.product.id, { stock: purchases });
      const sessions = [];
      for (let at = 0; at < purchases; at++) sessions.push(await shop.session());
      let left = sessions.map((session) => shop.tokenOf(session));
      const start = await forkable("test/processes/crash-worker.ts");
      let kills = 0;
      while (left.length > 0) {
        const child = start([...args, ledger, shop.a.method_id, ...left]);
        child.on("message", ({ token }: { token: string }) => {
          left = left.slice(left.indexOf(token) + 1);
        });
        const [, signal] = await once(child, "exit");
        if (signal === "SIGKILL") kills += 1;
        else if (left.length > 0) throw new Error("A worker ended without a kill.");
      }
      expect(kills).toBeGreaterThan(0);
      expect(existsSync(ledger)).toBe(true);

      for (let round = 0; round < 2; round++) {
        offset += 3_600_000;
        await Promise.all([shop.storefront.runMaintenance(), shop.storefront.runMaintenance()]);
      }
      let cursor = "";
      let paid = 0;
      let failed = 0;
      for (let more = true; more; ) {
        const { body } = await shop.get(`/orders?limit=100${cursor}`, { key: shop.a.test.sec });
        for (const order of body.data) {
          expect(["paid", "failed"]).toContain(order.status);
          if (order.status === "paid") paid += 1;
          else failed += 1;
        }
        more = body.has_more;
        cursor = `&starting_after=${body.next_cursor}`;
      }
      const charged = new Set(taken().map((line) => line.split(" ")[0]));
      expect(charged.size).toBe(taken().length); // nobody was charged twice
      expect(paid).toBe(charged.size);
      const events = await storage.webhooks.listEvents({ ...where, limit: 1_000 });
      const listed = events.outcome === "listed" ? events.events : [];
      expect(listed.filter(({ type }) => type === "order.created")).toHaveLength(paid + failed);
      expect(listed.filter(({ type }) => type === "order.paid")).toHaveLength(paid);
      expect(listed.filter(({ type }) => type === "order.failed")).toHaveLength(failed);
      const [product] = (await storage.checkout.loadCart(where, [shop.product.id], null)).products;
      expect(product?.on_hand).toBe(purchases - paid);
      await storage.close();
    });
  },
);
