import type { OrderRecord } from "../../rules/records.ts";
import { type StatChange, type StatKind, statKinds } from "../../rules/stats.ts";
import { type CaseContext, type StorageCase, times } from "./case.ts";
import { fixtures } from "./fixtures.ts";
import { paymentFixtures } from "./payment-fixtures.ts";
import { refundFixtures } from "./refund-fixtures.ts";

const hour = 3_600_000;
const forever = { from: 0, to: 8_640_000_000_000_000 };

type Sums = Readonly<Record<StatKind, readonly [count: number, amount: number]>>;

const sumsOf = (rows: readonly StatChange[]): Sums => {
  const sumOf = (kind: StatKind): readonly [number, number] =>
    rows
      .filter((row) => row.kind === kind)
      .reduce(([count, amount], row) => [count + row.count, amount + row.amount], [0, 0]);
  return Object.fromEntries(statKinds.map((kind) => [kind, sumOf(kind)])) as Sums;
};

function statsFixtures(context: CaseContext) {
  const { storage, clock } = context;
  const made = fixtures(context);
  const { partition, openSession, completion, orderIds } = made;

  const paid = async (): Promise<OrderRecord> => {
    const result = await storage.orders.completeSession(completion(await openSession()));
    if (result.outcome !== "paid") throw new Error(`Not paid: ${result.outcome}.`);
    return result.order;
  };

  const dispute = async (order: OrderRecord) => {
    const told = { ...partition, order_id: order.id, money: null };
    const facts = { id: `dp_${order.id}`, amount: 300, reason: null, due_by: null };
    await storage.orders.openDispute({
      ...told,
      dispute: facts,
      inquiry: false,
      ids: orderIds(),
      now: clock.now(),
    });
    const close = { ...told, dispute_id: facts.id, ids: orderIds(), now: clock.now() };
    return (result: "won" | "lost") => storage.orders.closeDispute({ ...close, result });
  };

  const numbers = async (range: Partial<typeof forever> = {}) =>
    (await storage.stats.listHours({ ...partition, ...forever, ...range })).rows;
  const sums = async (range: Partial<typeof forever> = {}) => sumsOf(await numbers(range));

  return { ...made, paid, dispute, numbers, sums };
}

/** Counts by reading all orders and refunds, as nothing but this test does. */
async function scan(
  { storage }: CaseContext,
  partition: { readonly store_id: string; readonly livemode: boolean },
): Promise<Pick<Sums, "paid" | "refunded">> {
  const listed = await storage.orders.listOrders({ ...partition, limit: 1000 });
  const orders = listed.outcome === "listed" ? listed.orders : [];
  const paid = orders.filter(({ paid_at }) => paid_at !== null);
  const refunds = (await storage.orders.listRefunds({ ...partition, limit: 1000 })).filter(
    ({ state }) => state === "succeeded",
  );
  const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    paid: [paid.length, total(paid.map(({ amount_total }) => amount_total))],
    refunded: [refunds.length, total(refunds.map(({ amount }) => amount))],
  };
}

/** The numbers of a store by the hour. */
export const statsCases: readonly StorageCase[] = [
  {
    name: "after fifty writers at once the numbers equal a count of the records",
    async run(context) {
      const { storage, assert } = context;
      const { shop, product, openSession, completion, partition, paid, dispute, sums } =
        statsFixtures(context);
      const { refund } = refundFixtures(context);
      await shop([product("prod_1", { stock: null })]);

      const fresh = await times(15, () => openSession());
      const failing = await times(10, () => openSession());
      const refundable = await times(15, paid);
      const closings = await Promise.all((await times(10, paid)).map(dispute));
      await Promise.all([
        ...fresh.map((opened) => storage.orders.completeSession(completion(opened))),
        ...failing.map((opened) =>
          storage.orders.completeSession(completion(opened, { status: "failed" })),
        ),
        ...refundable.map((order, index) =>
          storage.orders.reserveRefund({
            ...refund(order, { reference: "r1", amount: 10 + index }),
            moved_by_host: true,
          }),
        ),
        ...closings.map((close, index) => close(index < 7 ? "lost" : "won")),
      ]);

      const scanned = await scan(context, partition);
      assert.deepEqual([scanned.paid[0], scanned.refunded[0]], [40, 15]);
      assert.deepEqual(await sums(), {
        ...scanned,
        dispute_lost: [7, 2100],
        payment_failed: [10, 0],
      });
    },
  },
  {
    name: "a repeated step counts nothing, and each hour, mode and store has its own numbers",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, partition, openSession, completion, numbers, sums } = statsFixtures(context);
      await shop();

      const first = completion(await openSession());
      await times(5, () => storage.orders.completeSession(first));
      const start = clock.now();
      clock.advance(hour);
      await storage.orders.completeSession(completion(await openSession()));

      const rows = [...(await numbers())].sort((a, b) => a.hour - b.hour);
      const row = { kind: "paid", currency: "BRL", count: 1, amount: 1000 };
      assert.deepEqual(rows, [
        { ...row, hour: start },
        { ...row, hour: start + hour },
      ]);
      assert.deepEqual((await sums({ to: start + hour })).paid, [1, 1000]);
      assert.deepEqual((await sums({ from: start + hour })).paid, [1, 1000]);
      for (const other of [{ livemode: !partition.livemode }, { store_id: "str_B" }]) {
        const { rows: others } = await storage.stats.listHours({
          ...partition,
          ...forever,
          ...other,
        });
        assert.deepEqual(others, []);
      }
    },
  },
  {
    name: "a refund that fails later is taken off at the hour of its failure",
    async run(context) {
      const { storage, clock, assert } = context;
      const { sums } = statsFixtures(context);
      const { paidOrder } = paymentFixtures(context);
      const { refundMessage } = refundFixtures(context);
      const order = await paidOrder();
      const start = clock.now();

      const told = { reference: "re_1", amount: 400 };
      await storage.orders.applyRefundMessage(
        await refundMessage(order, { ...told, notification_id: "n1" }),
      );
      clock.advance(2 * hour);
      const failure = { ...told, notification_id: "n2", status: "failed" } as const;
      await storage.orders.applyRefundMessage(await refundMessage(order, failure));

      assert.deepEqual((await sums({ to: start + hour })).refunded, [1, 400]);
      assert.deepEqual((await sums({ from: start + hour })).refunded, [-1, -400]);
    },
  },
  {
    name: "a payment that failed and is paid later is a failed payment no more",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, sums } = statsFixtures(context);
      const { start, result } = paymentFixtures(context);
      await shop();

      const attempt = await start(await openSession());
      await storage.orders.applyPayment(result(attempt, "failed"));
      assert.deepEqual((await sums()).payment_failed, [1, 0]);
      await storage.orders.applyPayment(result(attempt, "succeeded"));
      const { paid, payment_failed } = await sums();
      assert.deepEqual([paid[0], payment_failed[0]], [1, 0]);
    },
  },
  {
    name: "the end of the test data is the end of its numbers",
    async run(context) {
      const { storage, assert } = context;
      const { shop, partition, paid, numbers } = statsFixtures(context);
      await shop();
      await paid();
      assert.equal((await numbers()).length, 1);

      await storage.privacy.wipeTestData(partition.store_id);
      assert.deepEqual(await numbers(), []);
    },
  },
];
