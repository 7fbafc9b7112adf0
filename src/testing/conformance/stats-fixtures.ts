import type { OrderRecord } from "../../rules/records.ts";
import { type StatChange, type StatKind, statKinds } from "../../rules/stats.ts";
import { completeSession } from "../../steps/checkout-steps.ts";
import { closeDispute, openDispute } from "../../steps/order-steps.ts";
import type { StatsQuery } from "../../storage/stats-store.ts";
import type { CaseContext } from "./case.ts";
import { fixtures } from "./fixtures.ts";

export const forever = { from: 0, to: 8_640_000_000_000_000 };

type Sums = Readonly<Record<StatKind, readonly [count: number, amount: number]>>;

const sumsOf = (rows: readonly StatChange[]): Sums => {
  const sumOf = (kind: StatKind): readonly [number, number] =>
    rows
      .filter((row) => row.kind === kind)
      .reduce(([count, amount], row) => [count + row.count, amount + row.amount], [0, 0]);
  return Object.fromEntries(statKinds.map((kind) => [kind, sumOf(kind)])) as Sums;
};

export function statsFixtures(context: CaseContext) {
  const { storage, clock } = context;
  const made = fixtures(context);
  const { partition, openSession, completion, orderIds } = made;

  const paid = async (): Promise<OrderRecord> => {
    const result = await completeSession(storage.orders, completion(await openSession()));
    if (result.outcome !== "paid") throw new Error(`Not paid: ${result.outcome}.`);
    return result.order;
  };

  const dispute = async (order: OrderRecord) => {
    const told = { ...partition, order_id: order.id, money: null };
    const facts = { id: `dp_${order.id}`, amount: 300, reason: null, due_by: null };
    await openDispute(storage.orders, {
      ...told,
      dispute: facts,
      inquiry: false,
      ids: orderIds(),
      now: clock.now(),
    });
    const close = { ...told, dispute_id: facts.id, ids: orderIds(), now: clock.now() };
    return (result: "won" | "lost") => closeDispute(storage.orders, { ...close, result });
  };

  const numbers = async (range: Partial<Pick<StatsQuery, "from" | "to" | "starts">> = {}) =>
    (await storage.stats.listHours({ ...partition, ...forever, ...range })).rows;
  const sums = async (range: Partial<typeof forever> = {}) => sumsOf(await numbers(range));

  return { ...made, paid, dispute, numbers, sums };
}

type Scanned = Omit<Sums, "dispute_lost" | "payment_failed">;

/** Counts by reading all records, which only these cases do. */
export async function scan(
  { storage, clock }: CaseContext,
  partition: { readonly store_id: string; readonly livemode: boolean },
): Promise<Scanned> {
  const listed = await storage.orders.listOrders({ ...partition, limit: 1000 });
  const orders = listed.outcome === "listed" ? listed.orders : [];
  const paid = orders.filter(({ paid_at }) => paid_at !== null);
  const refunds = (await storage.orders.listRefunds({ ...partition, limit: 1000 })).filter(
    ({ state }) => state === "succeeded",
  );
  const total = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

  const page = { ...partition, limit: 1000 };
  const sessions = await storage.lists.listSessions({ ...page, now: clock.now() });
  const deliveries = await storage.webhooks.listDeliveries(page);
  const attempts = (
    await Promise.all(deliveries.map((delivery) => storage.webhooks.listAttempts(delivery)))
  ).flat();
  const accepted = attempts.filter(({ error }) => error === null);
  return {
    session_created: [sessions.length, 0],
    session_completed: [sessions.filter(({ session }) => session.status === "complete").length, 0],
    delivery_succeeded: [accepted.length, 0],
    delivery_failed: [attempts.length - accepted.length, 0],
    paid: [paid.length, total(paid.map(({ amount_total }) => amount_total))],
    refunded: [refunds.length, total(refunds.map(({ amount }) => amount))],
  };
}
