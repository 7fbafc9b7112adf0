import { sql } from "kysely";
import {
  type AttemptWithMoney,
  attemptStates,
  type DisputeWithOrder,
  disputeStatuses,
} from "#core/rules/owner/list-records.ts";
import { byCreation } from "#core/rules/payments/order-money.ts";
import type { SubscriptionRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt, readDispute, readPayment } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import type {
  AttemptQuery,
  DisputeQuery,
  DueQuery,
  ListingStore,
} from "#core/storage/reads/listing-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { movedIn } from "../engine/moved.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";
import { listedFields } from "../schema/json-fields.ts";
import { isInPartition, newestPage, pageOrder, partsOf } from "./newest.ts";

type MoneyLists = Pick<ListingStore, "listAttempts" | "listDisputes" | "listDue">;

export const sqlMoneyLists = (engine: SqlEngine): MoneyLists => ({
  listAttempts: (query) => engine.read(() => listAttempts(engine, query)),
  listDisputes: (query) =>
    engine.read(() => (query.lost ? lostDisputes(engine, query) : listDisputes(engine, query))),
  listDue: (query) => engine.read(() => listDue(engine, query)),
});

interface AttemptRow {
  readonly id: string;
  readonly attempt: string;
  /** Null for an attempt without money. An attempt with several payments has as many rows. */
  readonly payment: string | null;
}

function* listAttempts(
  { db }: SqlEngine,
  query: AttemptQuery,
): QueryGenerator<readonly AttemptWithMoney[]> {
  const { state, order_id, after, oldest_first, limit } = query;
  const list = {
    table: "payment_attempts",
    ...partsOf({
      state: sql`state`,
      states: state === undefined ? attemptStates : [state],
      isWhole: state === undefined,
      ofOrder: order_id === undefined ? null : sql`order_id = ${order_id}`,
      sortedBy: [sql`created_at`, sql`id`],
    }),
    after: after && [after.created_at, after.id],
    oldest_first,
    limit,
  } as const;

  const rows = yield* many(
    sql<AttemptRow>`
      select page.id, page.record as attempt, p.record as payment
      from (${newestPage(query, list)}) as page
      left join ${sql.table("payments")} as p
        on ${isInPartition("p", query)} and p.order_id = page.order_id
        and p.attempt_id = page.id
      order by ${pageOrder(list)}`.compile(db),
  );

  const byId = new Map<string, { readonly attempt: string; readonly payments: string[] }>();
  for (const { id, attempt, payment } of rows) {
    const entry = byId.get(id) ?? { attempt, payments: [] };
    byId.set(id, entry);
    if (payment !== null) entry.payments.push(payment);
  }
  return [...byId.values()].map(({ attempt, payments }) => ({
    attempt: readAttempt(attempt),
    money: payments.map(readPayment).sort(byCreation),
  }));
}

interface DisputeRow {
  readonly dispute: string;
  readonly record: string;
}

function* listDisputes(
  { db, dialect }: SqlEngine,
  query: DisputeQuery,
): QueryGenerator<readonly DisputeWithOrder[]> {
  const { status, order_id, after, oldest_first, limit } = query;
  const field = listedFields(dialect.name);
  const list = {
    table: "disputes",
    ...partsOf({
      state: sql.raw(field.dispute_status),
      states: status === undefined ? disputeStatuses : [status],
      isWhole: status === undefined,
      ofOrder: order_id === undefined ? null : sql`order_id = ${order_id}`,
      sortedBy: [sql.raw(field.created_at), sql`order_id`, sql`id`],
    }),
    after: after && [after.created_at, after.order_id, after.id],
    oldest_first,
    limit,
  } as const;

  const rows = yield* many(
    sql<DisputeRow>`
      select page.record as dispute, o.record
      from (${newestPage(query, list)}) as page
      join ${sql.table("orders")} as o
        on ${isInPartition("o", query)} and o.id = page.order_id
      order by ${pageOrder(list)}`.compile(db),
  );
  return rows.map(disputeOf);
}

const disputeOf = ({ dispute, record }: DisputeRow): DisputeWithOrder => ({
  dispute: readDispute(dispute),
  order: fromJson<OrderRecord>(record),
});

/** Walks the index of lost disputes, the oldest verdict first. */
function* lostDisputes(
  { db, dialect }: SqlEngine,
  { lost = { from: 0, to: 0 }, limit, ...partition }: DisputeQuery,
): QueryGenerator<readonly DisputeWithOrder[]> {
  const { after } = lost;
  const { where, order } = movedIn(lost, {
    at: listedFields(dialect.name).lost_at,
    columns: ["order_id", "id"],
    after: after ? [after.order_id, after.id] : [],
  });
  const page = db
    .selectFrom("disputes")
    .select([
      "order_id",
      "id",
      "record",
      sql<number>`row_number() over (order by ${order})`.as("place"),
    ])
    .where(ofPartition(partition))
    .where(sql<boolean>`${where}`)
    .orderBy(order)
    .limit(limit);
  const rows = yield* many(
    sql<DisputeRow>`
      select page.record as dispute, o.record from (${page}) as page
      join ${sql.table("orders")} as o
        on ${isInPartition("o", partition)} and o.id = page.order_id
      order by page.place`.compile(db),
  );
  return rows.map(disputeOf);
}

function* listDue(
  { db, dialect }: SqlEngine,
  { before, after, limit, ...partition }: DueQuery,
): QueryGenerator<readonly SubscriptionRecord[]> {
  const period_end = sql<number>`${sql.raw(listedFields(dialect.name).period_end)}`;

  let due = db
    .selectFrom("subscriptions")
    .select("record")
    .where(ofPartition(partition))
    .where("ends_at", "is", null)
    // It is a literal, as in the partial index: a parameter would hide the index
    // from a generic plan.
    .where("status", "<>", sql.lit("canceled"))
    .where(period_end, "<", before);
  if (after) {
    const { current_period_end, id } = after;
    due = due
      .where(period_end, ">=", current_period_end)
      .where(sql<boolean>`(${period_end}, id) > (${current_period_end}, ${id})`);
  }

  const rows = yield* many(due.orderBy(period_end).orderBy("id").limit(limit));
  return rows.map(({ record }) => fromJson<SubscriptionRecord>(record));
}
