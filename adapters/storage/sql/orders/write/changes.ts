import type { OrderStepBefore, Written } from "#core/rules/audit/audit-records.ts";
import type { Decision, OrderChanges } from "#core/rules/orders/order-changes.ts";
import type { OrderSnapshot } from "#core/rules/orders/order-snapshot.ts";
import { type CountedBefore, statsOf } from "#core/rules/owner/stats.ts";
import type { AlertRecord, OrderRecord, Partition } from "#core/rules/records.ts";
import { renderParts } from "#core/rules/webhooks/render-event.ts";
import { insertAlert } from "../../access/alerts.ts";
import { adjustCoupon } from "../../catalog/stock/coupon-counters.ts";
import { takePoolKeys } from "../../catalog/stock/key-pools.ts";
import { prepareStockAdjustment } from "../../catalog/stock/stock.ts";
import { countOpenHold } from "../../checkout/open-holds.ts";
import { ofPartition, partitionColumns } from "../../engine/columns.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { takeNumbersStep } from "../../webhooks/numbers.ts";
import { orderAlgorithms } from "../algorithms.ts";
import { addedTotals, termWriter } from "./order-index.ts";
import { putDispute, putRefund, putSubscription } from "./rows.ts";

/** The fields of a snapshot that guard a write, are counted, or are audited. */
type Before = CountedBefore & OrderStepBefore & Pick<OrderSnapshot, "stock" | "coupon" | "offset">;

/** Writes what a step decided and gives its result, in which a new order has its number. */
export function decisionWriter(engine: SqlEngine) {
  const writeChanges = changeWriter(engine);

  return function* carryOut<Result>(
    partition: Partition,
    before: Before,
    { result, changes }: Decision<Result>,
  ): QueryGenerator<Written<Result>> {
    if (changes === null) return { result, change: null };

    const order = yield* writeChanges(partition, before, changes);
    const change = { kind: "order_step", partition, before, changes, order } as const;
    return { result: order ? { ...result, order } : result, change };
  };
}

/**
 * Writes in the order of the locks: open holds, stock, coupon and keys, then the counters,
 * then the rows, and last the totals of the customer and the numbers of the store.
 */
function changeWriter(engine: SqlEngine) {
  const takeNumbers = takeNumbersStep(engine);
  const adjustStock = prepareStockAdjustment(engine);
  const writeStep = orderAlgorithms(engine).writeStep(engine);
  const changeTerms = termWriter(engine);

  return function* writeChanges(
    partition: Partition,
    before: Before,
    changes: OrderChanges,
  ): QueryGenerator<OrderRecord | null> {
    if (changes.open_hold) yield* countOpenHold(engine, partition, changes.open_hold);
    yield* adjustStock(partition, changes.stock, before.stock);
    const maxUses = before.coupon?.max_uses ?? null;
    for (const change of changes.coupons) yield* adjustCoupon(engine, partition, change, maxUses);

    yield* takePoolKeys(engine, partition, changes.taken_keys);

    const isNew = changes.order?.number === 0;
    const wanted = { orders: 1, events: changes.events.length } as const;
    const taken = isNew ? yield* takeNumbers(partition, wanted) : null;
    const order =
      changes.order && taken ? { ...changes.order, number: taken.order_number } : changes.order;

    const { session, attempts, payments } = changes;
    const { offset } = before;
    yield* writeStep(partition, {
      rows: { session, order, order_before: before.order, attempts, payments, offset },
      between: function* () {
        if (order && before.order) yield* changeTerms(order, before.order);
        for (const refund of changes.refunds) yield* putRefund(engine, refund, offset);
        for (const dispute of changes.disputes) yield* putDispute(engine, dispute);
        if (changes.subscription) yield* putSubscription(engine, changes.subscription, offset);
        for (const alert of changes.withdrawn) yield* withdrawAlert(engine, partition, alert);
        for (const alert of changes.alerts) yield* raiseAlert(engine, alert, offset);
      },
      events: changes.events.map((draft) =>
        renderParts(partition, draft, { order_number: order?.number ?? 0, offset }),
      ),
      first_sequence: taken?.first_sequence ?? null,
      totals: order && addedTotals(order, before.order),
      stats: statsOf(before, changes),
    });
    return order;
  };
}

/** Deletes an alert that is not true any more, with its notice. */
function* withdrawAlert(
  { db }: SqlEngine,
  partition: Partition,
  { type, subject }: Pick<AlertRecord, "type" | "subject">,
): QueryGenerator<void> {
  const { store_id } = partition;
  const rows = yield* many(
    db
      .deleteFrom("alerts")
      .where(ofPartition(partition))
      .where("type", "=", type)
      .where("subject", "=", subject)
      .returning("id"),
  );

  for (const { id } of rows)
    yield* many(
      db.deleteFrom("alert_notices").where("store_id", "=", store_id).where("alert_id", "=", id),
    );
}

/**
 * Stores the alert, and a notice that is due until the host's callback has taken it. The
 * alert's time is `offset` ahead of the real one.
 */
export function* raiseAlert(
  { db }: SqlEngine,
  alert: AlertRecord,
  offset: number,
): QueryGenerator<void> {
  if (!(yield* insertAlert(db, alert, 0))) return;

  const notice = {
    ...partitionColumns(alert),
    alert_id: alert.id,
    due_at: alert.created_at - offset,
  };
  yield* many(
    db
      .insertInto("alert_notices")
      .values(notice)
      .onConflict((conflict) => conflict.doNothing()),
  );
}
