import { decideCancellation, decideCompletion, decidePayment, decideSubmission } from "../../../src/payments/order-machine.ts";
import { buyerKey, customerKey, type Decision, type OrderChanges, type Snapshot, sums } from "../../../src/payments/order-parts.ts";
import type {
  BuyerFacts,
  CancellationResult,
  CompletionResult,
  OrderList,
  OrderStore,
  PaymentApplied,
  SubmissionResult,
} from "../../../src/storage/order-store.ts";
import type { AttemptRecord, OrderRecord, Partition, SessionRecord } from "../../../src/storage/records.ts";
import { renderEvent } from "../../../src/webhooks/render-event.ts";
import { insertAlert } from "./access.ts";
import { adjustCoupon, adjustStock, lockCoupon, lockStock } from "./catalog-stock.ts";
import type { SqlEngine } from "./engine.ts";
import { insertEvents, numberTaker } from "./events.ts";
import { fromJson, own } from "./json.ts";
import { many, one, type Step } from "./step.ts";

interface Loaded {
  readonly snapshot: Snapshot;
  readonly max_uses: number | null;
}

export function sqlOrders(engine: SqlEngine): OrderStore {
  const { db } = engine;
  const takeNumbers = numberTaker(engine);

  /** Lock, decide, write: one transaction. */
  const step = <O extends string>(
    partition: Partition,
    session_id: string | null,
    buyer: BuyerFacts | null,
    new_customer: string,
    decide: (snapshot: Snapshot) => Decision<O>,
  ) =>
    engine.write(function* (): Step<Decision<O>> {
      const loaded = yield* load(engine, partition, session_id, buyer, new_customer);
      const decision = decide(loaded.snapshot);
      if (!decision.changes) return decision;
      return { ...decision, order: yield* write(partition, loaded, decision.changes) };
    });

  function* write(partition: Partition, { snapshot, max_uses }: Loaded, changes: OrderChanges): Step<OrderRecord> {
    yield* adjustStock(engine, partition, changes.stock, snapshot.on_hand);
    if (changes.coupon) yield* adjustCoupon(engine, partition, changes.coupon, max_uses);
    const isNew = changes.order.number === 0;
    const { order_number, first_sequence } =
      isNew || changes.events.length > 0
        ? yield* takeNumbers(partition, { orders: isNew ? 1 : 0, events: changes.events.length })
        : { order_number: 0, first_sequence: 0 };
    const order = isNew ? { ...changes.order, number: order_number } : changes.order;
    if (changes.session) yield* updateSession(engine, partition, changes.session);
    yield* putOrder(engine, partition, order, snapshot.order);
    for (const attempt of changes.attempts) yield* putAttempt(engine, partition, attempt);
    for (const alert of changes.alerts) yield* insertAlert(db, alert, 0);
    const events = changes.events.map((draft, index) => renderEvent(partition, draft, order.number, first_sequence + index));
    yield* insertEvents(engine, partition, events);
    return order;
  }

  return {
    findOrder: (partition, id) =>
      engine.read(function* (): Step<OrderRecord | null> {
        const { store_id, livemode } = own(partition);
        const row = yield* one(
          db.selectFrom("orders").select("record").where("store_id", "=", store_id).where("livemode", "=", livemode).where("id", "=", id),
        );
        return row ? fromJson<OrderRecord>(row.record) : null;
      }),
    listOrders: (query) => engine.read(() => listOrders(engine, query, query.status, null)),
    listCustomerOrders: (query) =>
      engine.read(function* (): Step<OrderList | { outcome: "token_revoked" }> {
        const { store_id, livemode } = own(query);
        const since = yield* one(
          db
            .selectFrom("customer_tokens")
            .select("not_before")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("customer_id", "=", query.customer_id),
        );
        if (since && query.token_issued_at < since.not_before) return { outcome: "token_revoked" };
        return yield* listOrders(engine, query, undefined, query.customer_id);
      }),
    revokeCustomerTokens: (partition, customer_id, not_before) =>
      engine.write(function* (): Step<void> {
        yield* many(
          db
            .insertInto("customer_tokens")
            .values({ ...own(partition), customer_id, not_before })
            .onConflict((conflict) =>
              conflict
                .columns(["store_id", "livemode", "customer_id"])
                .doUpdateSet({ not_before })
                .where("customer_tokens.not_before", "<", not_before),
            ),
        );
      }),
    submitSession: async (command) =>
      (await step(command, command.session_id, command.buyer, command.ids.customer, (snapshot) =>
        decideSubmission(snapshot, command),
      )) as SubmissionResult,
    async applyPayment(command) {
      const { store_id, livemode } = own(command);
      const attempt = await engine.read(() =>
        one(
          db
            .selectFrom("payment_attempts")
            .select("session_id")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", command.attempt_id),
        ),
      );
      if (!attempt) return { outcome: "unknown_attempt" };
      return (await step(command, attempt.session_id, null, "", (snapshot) => decidePayment(snapshot, command))) as PaymentApplied;
    },
    completeSession: async (command) =>
      (await step(command, command.session_id, command.buyer, command.ids.customer, (snapshot) =>
        decideCompletion(snapshot, command),
      )) as CompletionResult,
    cancelOrder: async (command) =>
      (await step(command, command.session_id, null, "", (snapshot) => decideCancellation(snapshot, command))) as CancellationResult,
    findCheckout: (partition, session_id) =>
      engine.read(function* (): Step<{ session: SessionRecord; order: OrderRecord | null; attempt: AttemptRecord | null } | null> {
        const { store_id, livemode } = own(partition);
        const session = yield* one(
          db
            .selectFrom("checkout_sessions")
            .select("record")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("id", "=", session_id),
        );
        if (!session) return null;
        const row = yield* one(
          db
            .selectFrom("orders")
            .select("record")
            .where("store_id", "=", store_id)
            .where("livemode", "=", livemode)
            .where("session_id", "=", session_id),
        );
        const order = row ? fromJson<OrderRecord>(row.record) : null;
        const attempts = order ? yield* attemptsOf(engine, partition, order.id) : [];
        return { session: fromJson<SessionRecord>(session.record), order, attempt: attempts.at(-1) ?? null };
      }),
  };
}

/** The locks of CONTRACT 6, in its order: session, order, attempts, products by id, coupon, coupon use. */
function* load(
  engine: SqlEngine,
  partition: Partition,
  session_id: string | null,
  buyer: BuyerFacts | null,
  new_customer: string,
): Step<Loaded> {
  const { db, dialect } = engine;
  const { store_id, livemode } = own(partition);
  const row = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("checkout_sessions")
        .select("record")
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", session_id ?? ""),
    ),
  );
  if (!row) return { snapshot: { session: null, order: null, attempts: [], on_hand: new Map(), coupon: null }, max_uses: null };
  const session = fromJson<SessionRecord>(row.record);
  const found = yield* one(
    dialect.forUpdate(
      db
        .selectFrom("orders")
        .select("record")
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("session_id", "=", session.id),
    ),
  );
  const order = found ? fromJson<OrderRecord>(found.record) : null;
  const attempts = order ? yield* attemptsOf(engine, partition, order.id) : [];
  const on_hand = yield* lockStock(
    engine,
    partition,
    sums(session).map(([product_id]) => product_id),
  );
  const key =
    buyer || !order ? buyerKey(session, order, buyer ?? undefined, new_customer) : customerKey(order, session.customer_id !== null);
  const coupon = session.coupon_id === null ? null : yield* lockCoupon(engine, partition, session.coupon_id, key);
  return { snapshot: { session, order, attempts, on_hand, coupon }, max_uses: coupon?.max_uses ?? null };
}

function* attemptsOf({ db }: SqlEngine, partition: Partition, order_id: string): Step<readonly AttemptRecord[]> {
  const { store_id, livemode } = own(partition);
  const rows = yield* many(
    db
      .selectFrom("payment_attempts")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("order_id", "=", order_id)
      .orderBy("created_at")
      .orderBy("id"),
  );
  return rows.map((row) => fromJson<AttemptRecord>(row.record));
}

function* updateSession({ db }: SqlEngine, partition: Partition, session: SessionRecord): Step<void> {
  const { store_id, livemode } = own(partition);
  const changes = { status: session.status, record: JSON.stringify(session) };
  yield* many(
    db
      .updateTable("checkout_sessions")
      .set(changes)
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", session.id),
  );
}

/** Guarded by the status that was decided over: a row that moved meanwhile ends the step. */
function* putOrder({ db }: SqlEngine, partition: Partition, order: OrderRecord, before: OrderRecord | null): Step<void> {
  const { store_id, livemode } = own(partition);
  const row = {
    number: order.number,
    status: order.status,
    session_id: order.session_id,
    customer_id: order.customer.id,
    updated_at: order.updated_at,
    record: JSON.stringify(order),
  };
  if (!before) {
    yield* many(db.insertInto("orders").values({ store_id, livemode, id: order.id, ...row }));
    return;
  }
  const updated = yield* one(
    db
      .updateTable("orders")
      .set(row)
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", order.id)
      .where("status", "=", before.status)
      .returning("id"),
  );
  if (!updated) throw new Error("An order moved while it was locked.");
}

function* putAttempt({ db }: SqlEngine, partition: Partition, attempt: AttemptRecord): Step<void> {
  const { order_id, session_id, gateway, reference, state, created_at } = attempt;
  const row = { order_id, session_id, gateway, reference, state, created_at, record: JSON.stringify(attempt) };
  yield* many(
    db
      .insertInto("payment_attempts")
      .values({ ...own(partition), id: attempt.id, ...row })
      .onConflict((conflict) => conflict.columns(["store_id", "livemode", "id"]).doUpdateSet(row)),
  );
}

function* listOrders(
  engine: SqlEngine,
  query: Partition & { after?: string; limit: number },
  status: string | undefined,
  customer_id: string | null,
): Step<OrderList> {
  const { store_id, livemode } = own(query);
  const all = engine.db.selectFrom("orders").where("store_id", "=", store_id).where("livemode", "=", livemode);
  const mine = customer_id === null ? all : all.where("customer_id", "=", customer_id);
  const after = query.after === undefined ? undefined : yield* one(mine.select("number").where("id", "=", query.after));
  if (query.after !== undefined && !after) return { outcome: "unknown_cursor" };
  let rows = mine
    .select("record")
    .orderBy("number", "desc")
    .limit(query.limit + 1);
  if (status !== undefined) rows = rows.where("status", "=", status);
  if (after) rows = rows.where("number", "<", after.number);
  return { outcome: "listed", orders: (yield* many(rows)).map((row) => fromJson<OrderRecord>(row.record)) };
}
