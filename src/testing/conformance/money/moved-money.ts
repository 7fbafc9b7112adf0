import type { OrderRecord } from "../../../rules/records.ts";
import {
  closeDispute,
  openDispute,
  reserveRefund,
  settleRefund,
} from "../../../steps/order-steps.ts";
import type { OrderList } from "../../../storage/order-store.ts";
import type { MovedRange } from "../../../storage/reads/listing-store.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { seenElsewhere } from "../fixtures/list-fixtures.ts";
import { partition } from "../fixtures/record-fixtures.ts";
import { refundFixtures } from "../fixtures/refund-fixtures.ts";
import { paidOrders } from "./money-lists.ts";

const ordersIn = (list: OrderList): readonly OrderRecord[] =>
  list.outcome === "listed" ? list.orders : [];

interface Moved {
  readonly id: string;
  readonly order_id?: string;
  readonly number?: number;
  readonly updated_at: number;
  readonly paid_at?: number | null;
  readonly succeeded_at?: number | null;
}

/** Reads all rows of a span of time by pages of two, of which a storage may give one more. */
async function readMoved<Row extends Moved>(
  span: { readonly from: number; readonly to: number },
  read: (
    range: MovedRange<{ id: string; order_id: string; number: number }>,
    limit: number,
  ) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const after = last && {
      at: last.paid_at ?? last.succeeded_at ?? last.updated_at,
      id: last.id,
      order_id: last.order_id ?? "",
      number: last.number ?? 0,
    };
    const page = (await read({ ...span, ...(after && { after }) }, 2)).slice(0, 2);
    rows.push(...page);
    if (page.length < 2) return rows;
  }
}

/** Checks how a storage finds money by the time at which it moved. */
export const movedMoneyCases: readonly StorageCase[] = [
  {
    name: "money that moved in a span of time is found by that time, the oldest first",
    async run(context) {
      const { storage, clock, assert } = context;
      const { orderIds } = fixtures(context);
      const { refund } = refundFixtures(context);

      const orders = await paidOrders(context, 4);
      const told = (order_id: string) => ({ ...partition, order_id, ids: orderIds() });
      for (const order of orders) {
        clock.advance(1_000);
        const command = refund(order, { reference: "r_1", amount: 100 });
        await reserveRefund(storage.orders, command);
        await settleRefund(storage.orders, {
          ...told(order.id),
          refund_id: command.refund.id,
          key_attempt: 0,
          report: { status: "succeeded", reference: "re_1", amount: null, failure_reason: null },
          within_call: true,
          now: clock.now(),
        });
      }
      const facts = { id: "dp_1", amount: null, reason: null, due_by: null };
      for (const [index, { id }] of [...orders].reverse().entries()) {
        clock.advance(1_000);
        const about = { ...told(id), money: null, now: clock.now() };
        await openDispute(storage.orders, { ...about, dispute: facts, inquiry: false });
        const result = index === 0 ? "won" : "lost";
        await closeDispute(storage.orders, {
          ...about,
          ids: orderIds(),
          dispute_id: "dp_1",
          result,
        });
      }

      const all = { from: 0, to: clock.now() + 1 };
      const ids = orders.map(({ id }) => id);
      const sales = await readMoved(all, (paid, limit) =>
        storage.backOffice.searchOrders({ ...partition, paid, limit }).then(ordersIn),
      );
      assert.deepEqual(
        sales.map(({ id }) => id),
        ids,
      );
      const refunds = await readMoved(all, async (succeeded, limit) =>
        (await storage.orders.listRefunds({ ...partition, succeeded, limit })).slice(0, limit),
      );
      assert.deepEqual(
        refunds.map(({ order_id }) => order_id),
        ids,
      );
      const losses = await readMoved(all, async (lost, limit) => {
        const found = await storage.lists.listDisputes({ ...partition, lost, limit });
        return found.map(({ dispute }) => dispute);
      });
      assert.deepEqual(
        losses.map(({ order_id }) => order_id),
        ids.slice(0, 3).reverse(),
      );

      const [first, second] = orders.map(({ paid_at }) => paid_at ?? 0);
      const paid = { from: first ?? 0, to: second ?? 0 };
      const one = await storage.backOffice.searchOrders({ ...partition, paid, limit: 10 });
      assert.deepEqual(
        ordersIn(one).map(({ id }) => id),
        ids.slice(0, 1),
      );
      assert.deepEqual(
        await seenElsewhere(async (other) =>
          ordersIn(await storage.backOffice.searchOrders({ ...other, paid: all, limit: 10 })),
        ),
        [[], []],
      );
    },
  },
];
