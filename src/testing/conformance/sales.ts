import type { ComparedSale } from "../../rules/owner/sales.ts";
import { removeArchived } from "../../steps/archive-steps.ts";
import { completeSession } from "../../steps/checkout-steps.ts";
import { wipeInChunks } from "../../steps/wipe-test-data.ts";
import { backOfficeFixtures } from "./fixtures/back-office-fixtures.ts";
import { type CaseContext, type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { hour } from "./fixtures/webhook-fixtures.ts";

const day = 24 * hour;

/** Gives what the cases of sales sell, count and ask for. */
export function salesFixtures(context: CaseContext) {
  const { storage, clock } = context;
  const { partition, shop, product, session, openSession, completion } = fixtures(context);
  const { sell } = backOfficeFixtures(context);

  const countAll = async (): Promise<void> => {
    while ((await storage.stats.count("sales", { now: clock.now(), limit: 2 })) > 0);
  };

  /** Asks for what was sold between `from` and `to`, and before. */
  const sales = async (
    from: number,
    to: number,
    more: { readonly before?: number; readonly top?: number; readonly livemode?: boolean } = {},
  ): Promise<readonly ComparedSale[]> => {
    const { before = from, top = 10, ...of } = more;
    const query = { ...partition, ...of, from, to, sales: { before, top } };
    const counted = (await storage.stats.listHours(query)).sales;
    if (counted?.complete_from !== null) throw new Error("Not all is counted.");
    return counted.rows;
  };

  /** Writes rows as `kind subject orders/pieces/amount`, and what came before behind it. */
  const told = async (...query: Parameters<typeof sales>): Promise<readonly string[]> =>
    (await sales(...query))
      .map(({ kind, subject, now, before }) =>
        [kind, subject, ...[now, before].map((sum) => Object.values(sum).join("/"))].join(" "),
      )
      .map((line) => line.replace(" 0/0/0", ""))
      .sort();

  return {
    partition,
    shop,
    product,
    session,
    openSession,
    completion,
    sell,
    countAll,
    sales,
    told,
  };
}

/** Checks what products, channels and customers brought. */
export const salesCases: readonly StorageCase[] = [
  {
    name: "sales are told by product, channel and customers, before and after they are counted",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, product, session, openSession, completion, sell, countAll, told } =
        salesFixtures(context);
      await shop([product("prod_1"), product("prod_2")]);

      const start = clock.now();
      const [line] = session().lines;
      if (!line) throw new Error("The session has no line.");
      const piece = { ...line, quantity: 1 };
      const three = { ...line, quantity: 3, amount_subtotal: 3000, amount_total: 3000 };
      const lines = [piece, { ...three, variables: { color: "red" } }];
      const amounts = { amount_subtotal: 4000, amount_total: 4000 };
      await completeSession(
        storage.orders,
        completion(await openSession({ lines, channel: "ucp:shop.example", ...amounts })),
      );
      clock.advance(hour);
      await sell({ id: "user_1", email: "a@example.com" }, "prod_2");
      await sell({ id: "user_1" }, "prod_2");

      const expected = [
        "channel  2/2/2000",
        "channel ucp:shop.example 1/4/4000",
        "customers new 2/5/5000",
        "customers returning 1/1/1000",
        "product prod_1 1/4/4000",
        "product prod_2 2/2/2000",
      ];
      assert.deepEqual(await told(start, start + 2 * hour), expected);
      assert.deepEqual(
        await told(start + hour, start + 2 * hour, { before: start }),
        [
          "channel  2/2/2000",
          "channel ucp:shop.example 0/0/0 1/4/4000",
          "customers new 1/1/1000 1/4/4000",
          "customers returning 1/1/1000",
          "product prod_2 2/2/2000",
        ].map((text) => text.replace(" 0/0/0", "")),
      );
      for (const later of [hour / 2, hour, 2 * day]) {
        clock.advance(later);
        await countAll();
        assert.deepEqual(await told(start, start + 2 * hour), expected);
      }
      assert.deepEqual(await told(start, start + 2 * hour, { livemode: true }), []);
      assert.deepEqual(await told(start + 2 * hour, start + 3 * day), []);
    },
  },
  {
    name: "sales of days and hours add up at any edge, however often and late they are counted",
    async run(context) {
      const { clock, assert } = context;
      const { shop, sell, countAll, told } = salesFixtures(context);
      await shop();

      const start = clock.now();
      const paidAt: number[] = [];
      const sellEach = async (count: number, step: number) => {
        for (let index = 0; index < count; index += 1) {
          paidAt.push(clock.now());
          await sell({ id: `user_${index % 3}` });
          clock.advance(step);
        }
      };
      const assertAll = async () => {
        for (const [from, to] of [
          [0, 10 * day],
          [0, 40 * day],
          [3 * day + hour, 31 * day],
          [5 * hour, 9 * hour],
          [hour, day + 3 * hour],
          [day, 3 * day],
          [2 * day + 7 * hour, 6 * day + 5 * hour],
        ] as const) {
          const count = paidAt.filter((at) => at >= start + from && at < start + to).length;
          const sold = (await told(start + from, start + to)).find((row) => /^product/.test(row));
          const text = `${count}/${count}/${1000 * count}`;
          assert.equal(sold, count === 0 ? undefined : `product prod_1 ${text}`);
        }
      };

      await sellEach(9, 5 * hour);
      await countAll();
      await assertAll();
      await sellEach(3, hour / 4);
      await assertAll();
      clock.advance(2 * day);
      await times(3, countAll);
      await assertAll();
      await sellEach(4, 11 * hour);
      await times(2, countAll);
      await assertAll();
      clock.advance(day);
      await countAll();
      await assertAll();
      await sellEach(5, 5 * day + 3 * hour);
      await times(2, countAll);
      await assertAll();
    },
  },
  {
    name: "a customer is known by the id or the e-mail of an earlier paid order",
    async run(context) {
      const { clock, assert } = context;
      const { shop, sell, countAll, told } = salesFixtures(context);
      await shop();

      const start = clock.now();
      for (const buyer of [
        { id: "user_1", email: "one@example.com" },
        { id: "user_2", email: "ONE@example.com" },
        { id: "user_2", email: "two@example.com" },
        { id: "user_3", email: "three@example.com" },
        { email: "four@example.com" },
        { email: "four@example.com" },
      ])
        await sell(buyer);
      const customers = async () =>
        (await told(start, start + hour)).filter((row) => row.startsWith("customers"));
      const expected = ["customers new 3/3/3000", "customers returning 3/3/3000"];
      assert.deepEqual(await customers(), expected);
      clock.advance(2 * hour);
      await countAll();
      assert.deepEqual(await customers(), expected);
    },
  },
  {
    name: "of many products those with the most pieces and those with the most money are told",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, session, openSession, completion, countAll, told } = salesFixtures(context);
      await shop();

      const start = clock.now();
      const [line] = session().lines;
      if (!line) throw new Error("The session has no line.");
      const sums = [
        [9, 10],
        [8, 20],
        [2, 900],
        [1, 800],
        [3, 30],
      ] as const;
      for (const [index, [quantity, amount_total]] of sums.entries()) {
        const sold = { product_id: `prod_${index}`, quantity, amount_total };
        const lines = [{ ...line, ...sold }];
        await completeSession(storage.orders, completion(await openSession({ lines })));
        if (index === 2) clock.advance(hour);
      }
      const products = async () =>
        (await told(start, start + 2 * hour, { top: 2 }))
          .filter((row) => row.startsWith("product"))
          .map((row) => row.split(" ")[1]);
      const expected = ["prod_0", "prod_1", "prod_2", "prod_3"];
      assert.deepEqual(await products(), expected);
      clock.advance(hour / 2);
      await countAll();
      assert.deepEqual(await products(), expected);
    },
  },
  {
    name: "what a removed order sold stays counted, once it was counted",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, shop, sell, countAll, told } = salesFixtures(context);
      await shop();
      const start = clock.now();
      const orders = [await sell({ id: "user_1" }), await sell({ id: "user_2" })];
      clock.advance(2 * hour);
      await countAll();
      const sold = await told(start, start + hour);
      assert.equal(sold.length, 3);

      for (const { id } of orders) {
        const command = { ...partition, order_id: id };
        assert.equal(await removeArchived(storage.orders, command, () => true), "removed");
        assert.deepEqual(await told(start, start + hour), sold, "the sales after a removal");
      }
      await sell({ id: "user_3" });
      assert.deepEqual(await told(start, start + hour), sold);

      await wipeInChunks(storage, partition.store_id);
      assert.deepEqual(await told(start, start + hour), []);
    },
  },
  {
    name: "the end of the test data is the end of its sales",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, shop, sell, countAll, told } = salesFixtures(context);
      await shop();
      const start = clock.now();
      await sell({ id: "user_1" });
      clock.advance(2 * hour);
      await countAll();
      assert.equal((await told(start, start + hour)).length, 3);

      await wipeInChunks(storage, partition.store_id);
      assert.deepEqual(await told(start, start + hour), []);
      await sell({ id: "user_1" });
      assert.equal((await told(clock.now() - hour, clock.now() + hour)).length, 3);
    },
  },
];
