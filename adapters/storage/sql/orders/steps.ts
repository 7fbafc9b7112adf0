import { sql } from "kysely";
import type { BuyerFacts } from "../../../../src/rules/order-commands.ts";
import {
  type Answer,
  couponKey,
  emptySnapshot,
  type OrderChanges,
  type Snapshot,
  sums,
} from "../../../../src/rules/order-parts.ts";
import type {
  AttemptRecord,
  DisputeRecord,
  RefundRecord,
} from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../../../src/rules/records.ts";
import { lockCoupon, stockLock } from "../catalog/stock.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { fromJson, own } from "../engine/json.ts";
import { many, one, type Place, prepare, type Step } from "../engine/step.ts";
import { changeWriter } from "./changes.ts";

/** What a step is about: a session or an order, and the buyer when one speaks. */
export interface Subject extends Partition {
  readonly session_id?: string | null;
  readonly order_id?: string;
  readonly buyer?: BuyerFacts;
  readonly new_customer?: string;
  /** Stock and coupon are locked for payments; refunds and disputes are read for what follows them. */
  readonly needs: "goods" | "history";
}

type Decided = { readonly changes: OrderChanges | null; readonly order: OrderRecord | null };

/** Lock, decide, write: one transaction. */
export function orderSteps(engine: SqlEngine) {
  const write = changeWriter(engine);
  const load = snapshotLoader(engine);
  return <D extends Decided>(
    subject: Subject,
    decide: (snapshot: Snapshot) => D,
    first?: (order: Snapshot) => Step<D | null>,
  ): Promise<Answer<D>> =>
    engine.write(function* (): Step<Answer<D>> {
      const snapshot = yield* load(subject);
      const early = first ? yield* first(snapshot) : null;
      const { changes, ...answer } = early ?? decide(snapshot);
      if (!changes) return answer;
      const { order, on_hand, coupon } = snapshot;
      const written = yield* write(
        subject,
        { order, on_hand, max_uses: coupon?.max_uses ?? null },
        changes,
      );
      return { ...answer, order: written ?? answer.order };
    });
}

/** The locks of CONTRACT 6, in its order: session, order, products by id, coupon, coupon use. Attempts and refunds are locked by their order. */
function snapshotLoader(engine: SqlEngine) {
  const { dialect } = engine;
  const lockSession = prepare((place) =>
    dialect.forUpdate(rowOf(engine, "checkout_sessions", "id", place)),
  );
  const lockOrder = prepare((place) => dialect.forUpdate(rowOf(engine, "orders", "id", place)));
  const lockOrderOfSession = prepare((place) =>
    dialect.forUpdate(rowOf(engine, "orders", "session_id", place)),
  );
  const refundsOf = prepare((place) => rowOf(engine, "refunds", "order_id", place).orderBy("id"));
  const disputesOf = prepare((place) => rowOf(engine, "disputes", "order_id", place).orderBy("id"));
  const sessionOf = prepare((place) =>
    rowOf(engine, "orders", "id", place).clearSelect().select("session_id"),
  );
  const attemptsOf = attemptReader(engine);
  const lockStock = stockLock(engine);

  return function* load(subject: Subject): Step<Snapshot> {
    const partition = own(subject);
    // An order never changes its session, so this may be read before the locks, whose order begins with the session.
    const session_id =
      subject.order_id === undefined
        ? (subject.session_id ?? null)
        : ((yield* one(sessionOf({ ...partition, key: subject.order_id })))?.session_id ?? null);
    const row =
      session_id === null ? undefined : yield* one(lockSession({ ...partition, key: session_id }));
    const session = row ? fromJson<SessionRecord>(row.record) : null;
    if (!session && subject.order_id === undefined) return emptySnapshot;
    const ours = session
      ? lockOrderOfSession({ ...partition, key: session.id })
      : lockOrder({ ...partition, key: subject.order_id ?? "" });
    const found = yield* one(ours);
    const order = found ? fromJson<OrderRecord>(found.record) : null;
    const attempts = order ? yield* attemptsOf(order) : [];
    if (subject.needs === "history") {
      const values = { ...partition, key: order?.id };
      const refunds = order
        ? (yield* many(refundsOf(values))).map((row) => fromJson<RefundRecord>(row.record))
        : [];
      const disputes = order
        ? (yield* many(disputesOf(values))).map((row) => fromJson<DisputeRecord>(row.record))
        : [];
      return { ...emptySnapshot, session, order, attempts, refunds, disputes };
    }
    if (!session) return { ...emptySnapshot, order, attempts };
    const products = sums(session).map(([product_id]) => product_id);
    const on_hand = yield* lockStock(subject, products);
    const customer_key = couponKey(
      session,
      order,
      subject.buyer ?? null,
      subject.new_customer ?? "",
    );
    const coupon =
      session.coupon_id === null
        ? null
        : yield* lockCoupon(engine, subject, session.coupon_id, customer_key);
    return {
      ...emptySnapshot,
      session,
      order,
      attempts,
      on_hand,
      coupon: coupon && { ...coupon, customer_key },
    };
  };
}

type Recorded = "checkout_sessions" | "orders" | "payment_attempts" | "refunds" | "disputes";

/** The records of a partition whose `column` is `key`. */
const rowOf = (
  { db }: SqlEngine,
  table: Recorded,
  column: "id" | "session_id" | "order_id",
  place: Place,
) =>
  db
    .selectFrom(table as "orders")
    .select("record")
    .where("store_id", "=", place<string>("store_id"))
    .where("livemode", "=", place<0 | 1>("livemode"))
    .where(column as "id", "=", place<string>("key"));

/** An order's attempts, the oldest first. */
export function attemptReader(engine: SqlEngine) {
  const find = prepare((place) =>
    rowOf(engine, "payment_attempts", "order_id", place)
      .orderBy(sql.ref("created_at"))
      .orderBy("id"),
  );
  return function* attemptsOf(order: OrderRecord): Step<readonly AttemptRecord[]> {
    return (yield* many(find({ ...own(order), key: order.id }))).map((row) =>
      fromJson<AttemptRecord>(row.record),
    );
  };
}
