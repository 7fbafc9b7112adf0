import { type Answer, couponKey, emptySnapshot, type OrderChanges, type Snapshot, sums } from "../../../src/payments/order-parts.ts";
import type { BuyerFacts } from "../../../src/storage/order-store.ts";
import type { AttemptRecord, DisputeRecord, RefundRecord } from "../../../src/storage/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "../../../src/storage/records.ts";
import { lockCoupon, lockStock } from "./catalog-stock.ts";
import type { SqlEngine } from "./engine.ts";
import { fromJson, own } from "./json.ts";
import { changeWriter } from "./order-changes.ts";
import { many, one, type Step } from "./step.ts";

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
  return <D extends Decided>(
    subject: Subject,
    decide: (snapshot: Snapshot) => D,
    first?: (order: Snapshot) => Step<D | null>,
  ): Promise<Answer<D>> =>
    engine.write(function* (): Step<Answer<D>> {
      const snapshot = yield* load(engine, subject);
      const early = first ? yield* first(snapshot) : null;
      const { changes, ...answer } = early ?? decide(snapshot);
      if (!changes) return answer;
      const { order, on_hand, coupon } = snapshot;
      const written = yield* write(subject, { order, on_hand, max_uses: coupon?.max_uses ?? null }, changes);
      return { ...answer, order: written ?? answer.order };
    });
}

/** The locks of CONTRACT 6, in its order: session, order, products by id, coupon, coupon use. Attempts and refunds are locked by their order. */
function* load(engine: SqlEngine, subject: Subject): Step<Snapshot> {
  const { db, dialect } = engine;
  const { store_id, livemode } = own(subject);
  const session_id = subject.order_id === undefined ? (subject.session_id ?? null) : yield* sessionOf(engine, subject, subject.order_id);
  const row =
    session_id === null
      ? undefined
      : yield* one(
          dialect.forUpdate(
            db
              .selectFrom("checkout_sessions")
              .select("record")
              .where("store_id", "=", store_id)
              .where("livemode", "=", livemode)
              .where("id", "=", session_id),
          ),
        );
  const session = row ? fromJson<SessionRecord>(row.record) : null;
  const orders = db.selectFrom("orders").select("record").where("store_id", "=", store_id).where("livemode", "=", livemode);
  const ours = session ? orders.where("session_id", "=", session.id) : orders.where("id", "=", subject.order_id ?? "");
  if (!session && subject.order_id === undefined) return emptySnapshot;
  const found = yield* one(dialect.forUpdate(ours));
  const order = found ? fromJson<OrderRecord>(found.record) : null;
  const attempts = order ? yield* attemptsOf(engine, order) : [];
  if (subject.needs === "history") {
    const history = order ? yield* historyOf(engine, order) : { refunds: [], disputes: [] };
    return { ...emptySnapshot, session, order, attempts, ...history };
  }
  if (!session) return { ...emptySnapshot, order, attempts };
  const products = sums(session).map(([product_id]) => product_id);
  const on_hand = yield* lockStock(engine, subject, products);
  const customer_key = couponKey(session, order, subject.buyer ?? null, subject.new_customer ?? "");
  const coupon = session.coupon_id === null ? null : yield* lockCoupon(engine, subject, session.coupon_id, customer_key);
  return { ...emptySnapshot, session, order, attempts, on_hand, coupon: coupon && { ...coupon, customer_key } };
}

/** An order never changes its session, so this may be read before the locks, whose order begins with the session. */
function* sessionOf({ db }: SqlEngine, partition: Partition, order_id: string): Step<string | null> {
  const { store_id, livemode } = own(partition);
  const row = yield* one(
    db
      .selectFrom("orders")
      .select("session_id")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", order_id),
  );
  return row?.session_id ?? null;
}

export function* attemptsOf({ db }: SqlEngine, order: OrderRecord): Step<readonly AttemptRecord[]> {
  const { store_id, livemode } = own(order);
  const rows = yield* many(
    db
      .selectFrom("payment_attempts")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("order_id", "=", order.id)
      .orderBy("created_at")
      .orderBy("id"),
  );
  return rows.map((row) => fromJson<AttemptRecord>(row.record));
}

function* historyOf({ db }: SqlEngine, order: OrderRecord): Step<Pick<Snapshot, "refunds" | "disputes">> {
  const { store_id, livemode } = own(order);
  const of = (table: "refunds" | "disputes") =>
    db
      .selectFrom(table)
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("order_id", "=", order.id)
      .orderBy("id");
  const refunds = yield* many(of("refunds"));
  const disputes = yield* many(of("disputes"));
  return {
    refunds: refunds.map((row) => fromJson<RefundRecord>(row.record)),
    disputes: disputes.map((row) => fromJson<DisputeRecord>(row.record)),
  };
}
