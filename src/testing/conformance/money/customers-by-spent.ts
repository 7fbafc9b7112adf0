import { completeSession } from "../../../steps/checkout-steps.ts";
import type { SpentPlace } from "../../../storage/back-office-store.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { unknownBuyer } from "../fixtures/command-fixtures.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { readByTwos, seenElsewhere } from "../fixtures/list-fixtures.ts";

/** Checks the list of customers by what they spent. */
export const customersBySpentCases: readonly StorageCase[] = [
  {
    name: "customers are listed by what they spent in a currency, from either end",
    async run(context) {
      const { storage, assert } = context;
      const { partition, shop, session, openSession, completion } = fixtures(context);
      await shop();
      const [line] = session().lines;
      if (!line) throw new Error("The session has no line.");
      const sell = async (id: string, amount_total: number, currency = "BRL"): Promise<void> => {
        const amounts = { amount_subtotal: amount_total, amount_total };
        const lines = [{ ...line, quantity: 1, unit_price: amount_total, ...amounts }];
        const opened = await openSession({ lines, currency, ...amounts });
        const buyer = { ...unknownBuyer, id };
        const sold = await completeSession(storage.orders, completion(opened, { buyer }));
        if (sold.outcome !== "paid") throw new Error(`Not paid: ${sold.outcome}.`);
      };
      const listed = async (spent_in: string, way: { readonly descending?: true } = {}) => {
        const rows = await readByTwos(
          ({
            after = null,
            limit,
          }: {
            readonly after?: SpentPlace | null;
            readonly limit: number;
          }) => storage.backOffice.listCustomers(partition, { spent_in, ...way, after, limit }),
          ({ id, totals }) => {
            const spent = totals.find(({ currency }) => currency === spent_in)?.spent ?? -1;
            return { spent, id };
          },
        );
        return rows.map(({ id }) => id);
      };

      for (const [id, amount] of [
        ["b", 500],
        ["a", 500],
        ["c", 90],
        ["d", 1_000],
        ["e", 0],
        ["c", 20],
      ] as const)
        await sell(id, amount);
      await sell("c", 7, "USD");
      await sell("f", 8, "USD");

      const up = ["e", "c", "a", "b", "d"];
      assert.deepEqual(await listed("BRL"), up);
      assert.deepEqual(await listed("BRL", { descending: true }), up.toReversed());
      assert.deepEqual(await listed("USD"), ["c", "f"]);
      assert.deepEqual(await listed("EUR"), []);

      // A payment moves its customer, and a page goes on from where its last one stood.
      const limit = 2;
      const first = { spent_in: "BRL", after: null, limit } as const;
      const [, last] = await storage.backOffice.listCustomers(partition, first);
      assert.equal(last?.id, "c");
      await sell("c", 5_000);
      const rest = { ...first, after: { spent: 110, id: "c" }, limit: 10 };
      const ids = (await storage.backOffice.listCustomers(partition, rest)).map(({ id }) => id);
      assert.deepEqual(ids, ["a", "b", "d", "c"]);
      const [most] = await storage.backOffice.listCustomers(partition, {
        ...first,
        descending: true,
      });
      assert.deepEqual(
        most?.totals.map(({ currency, orders, spent }) => [currency, orders, spent]),
        [
          ["BRL", 3, 5_110],
          ["USD", 1, 7],
        ],
      );
      assert.equal(most?.latest_order?.customer.id, "c");
      const elsewhere = await seenElsewhere((other) =>
        storage.backOffice.listCustomers(other, first),
      );
      assert.deepEqual(elsewhere, [[], []]);
    },
  },
];
