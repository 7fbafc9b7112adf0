import {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
} from "../../../src/rules/erasure.ts";
import type { SubscriptionRecord } from "../../../src/rules/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../../src/rules/records.ts";
import { chunks } from "./catalog/chunks.ts";
import { fromJson } from "./engine/columns.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { many, type QueryGenerator } from "./engine/queries.ts";

interface Customer {
  readonly store_id: string;
  readonly customer_id: string;
}

/** Blanks what is stored of a customer in both modes. False when nothing was found. */
export function* eraseCustomer(engine: SqlEngine, customer: Customer): QueryGenerator<boolean> {
  const session_ids = yield* eraseSessions(engine, customer);
  const orders = yield* eraseOrders(engine, customer);
  const subscriptions = yield* eraseSubscriptions(engine, customer);

  yield* eraseReplies(engine, customer.store_id, session_ids);
  yield* eraseEvents(engine, customer, session_ids);
  return session_ids.size + orders + subscriptions > 0;
}

/** Gives the ids of the customer's sessions. */
function* eraseSessions(
  { db, dialect }: SqlEngine,
  { store_id, customer_id }: Customer,
): QueryGenerator<ReadonlySet<string>> {
  const orders = yield* many(
    db
      .selectFrom("orders")
      .select("session_id")
      .where("store_id", "=", store_id)
      .where("customer_id", "=", customer_id),
  );
  const orderedIds = new Set(orders.flatMap((row) => row.session_id ?? []));

  // Sessions have no column for the customer. The pattern finds the records that may hold the id,
  // and the parsed record decides.
  const property = JSON.stringify({ customer_id }).slice(1, -1);
  const pattern = `%${property.replace(/[\\%_]/g, "_")}%`;
  const sessions = db
    .selectFrom("checkout_sessions")
    .select(["livemode", "id", "record"])
    .where("store_id", "=", store_id)
    .orderBy("id");
  const candidates = [
    ...(yield* many(dialect.forUpdate(sessions.where("record", "like", pattern)))),
  ];
  const found = new Set(candidates.map(({ id }) => id));
  const others = [...orderedIds].filter((id) => !found.has(id));
  for (const chunk of chunks(others))
    candidates.push(...(yield* many(dialect.forUpdate(sessions.where("id", "in", chunk)))));

  const ids = new Set<string>();
  for (const { livemode, id, record } of candidates) {
    const session = fromJson<SessionRecord>(record);
    if (session.customer_id !== customer_id && !orderedIds.has(id)) continue;

    ids.add(id);
    yield* many(
      db
        .updateTable("checkout_sessions")
        .set({ record: JSON.stringify(blankSession(session)) })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  }
  return ids;
}

function* eraseOrders(
  { db, dialect }: SqlEngine,
  { store_id, customer_id }: Customer,
): QueryGenerator<number> {
  const query = db
    .selectFrom("orders")
    .select(["livemode", "id", "record"])
    .where("store_id", "=", store_id)
    .where("customer_id", "=", customer_id)
    .orderBy("id");
  const rows = yield* many(dialect.forUpdate(query));

  for (const { livemode, id, record } of rows) {
    const order = fromJson<OrderRecord>(record);
    if (order.coupon_id !== null && order.coupon_key !== null)
      yield* many(
        db
          .deleteFrom("coupon_uses")
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode)
          .where("coupon_id", "=", order.coupon_id)
          .where("customer_key", "=", order.coupon_key),
      );

    const blank = blankOrder(order);
    yield* many(
      db
        .updateTable("orders")
        .set({ customer_id: blank.customer.id, record: JSON.stringify(blank) })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  }
  return rows.length;
}

function* eraseSubscriptions(
  { db, dialect }: SqlEngine,
  { store_id, customer_id }: Customer,
): QueryGenerator<number> {
  const query = db
    .selectFrom("subscriptions")
    .select(["livemode", "id", "record"])
    .where("store_id", "=", store_id)
    .where("customer_id", "=", customer_id)
    .orderBy("id");
  const rows = yield* many(dialect.forUpdate(query));

  for (const { livemode, id, record } of rows) {
    const blank = blankSubscription(fromJson<SubscriptionRecord>(record));
    yield* many(
      db
        .updateTable("subscriptions")
        .set({ customer_id: blank.customer.id, record: JSON.stringify(blank) })
        .where("store_id", "=", store_id)
        .where("livemode", "=", livemode)
        .where("id", "=", id),
    );
  }
  return rows.length;
}

/**
 * Blanks the replies that are stored for repeated requests with the same
 * idempotency key.
 */
function* eraseReplies(
  { db }: SqlEngine,
  store_id: string,
  session_ids: ReadonlySet<string>,
): QueryGenerator<void> {
  for (const session_id of session_ids) {
    const replies = yield* many(
      db
        .selectFrom("idempotency_keys")
        .select(["livemode", "body"])
        .where("store_id", "=", store_id)
        .where("session_id", "=", session_id),
    );

    for (const { livemode, body } of replies) {
      if (body === null) continue;
      yield* many(
        db
          .updateTable("idempotency_keys")
          .set({ body: blankReply(body) })
          .where("store_id", "=", store_id)
          .where("livemode", "=", livemode)
          .where("session_id", "=", session_id),
      );
    }
  }
}

const eventsPerPage = 500;

function* eraseEvents(
  engine: SqlEngine,
  customer: Customer,
  session_ids: ReadonlySet<string>,
): QueryGenerator<void> {
  const { store_id, customer_id } = customer;

  for (let after = ""; ; ) {
    const page = yield* many(
      engine.db
        .selectFrom("events")
        .select(["livemode", "id", "body"])
        .where("store_id", "=", store_id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(eventsPerPage),
    );

    for (const { livemode, id, body } of page) {
      const blank = body === null ? null : blankEvent(body, customer_id, session_ids);
      if (blank === null) continue;
      yield* eraseEvent(engine, { store_id, livemode, id, body: blank });
    }

    const last = page.at(-1);
    if (!last || page.length < eventsPerPage) return;
    after = last.id;
  }
}

interface BlankEvent {
  readonly store_id: string;
  readonly livemode: 0 | 1;
  readonly id: string;
  readonly body: string;
}

/** An endpoint's answer may repeat the event: the snippets of its deliveries go too. */
function* eraseEvent(
  { db }: SqlEngine,
  { store_id, livemode, id, body }: BlankEvent,
): QueryGenerator<void> {
  yield* many(
    db
      .updateTable("events")
      .set({ body })
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("id", "=", id),
  );
  yield* many(
    db
      .updateTable("delivery_attempts")
      .set({ snippet: null })
      .where("store_id", "=", store_id)
      .where("event_id", "=", id),
  );
}
