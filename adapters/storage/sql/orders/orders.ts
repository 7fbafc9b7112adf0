import { tokensOfCustomer } from "#core/rules/audit/audit-changes.ts";
import { currentAttempt } from "#core/rules/payments/order-attempt.ts";
import { byCreation } from "#core/rules/payments/order-money.ts";
import type { PaymentRecord } from "#core/rules/payments/payment-records.ts";
import { readAttempt, readPayment, readRefund } from "#core/rules/payments/stored-payments.ts";
import type { OrderRecord, Partition, SessionRecord } from "#core/rules/records.ts";
import type { CheckoutDetails, OrderRecords, OrderStore } from "#core/storage/order-store.ts";
import { auditedWrite } from "../engine/audited-write.ts";
import { fromJson, ofPartition, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";
import { orderAlgorithms } from "./algorithms.ts";
import { sqlOrderLists } from "./list.ts";
import { attemptReader } from "./lock/snapshot.ts";
import { sqlMaintenance } from "./maintenance.ts";
import { sqlRefunds } from "./refunds.ts";
import { putRevocation } from "./revocations.ts";
import { sqlSteps } from "./steps.ts";
import { sqlSubscriptions } from "./subscriptions.ts";

export const sqlOrders = (engine: SqlEngine): OrderStore => ({
  ...sqlOrderReads(engine),
  ...sqlOrderLists(engine),
  ...sqlSteps(engine),
  ...sqlRefunds(engine),
  ...sqlSubscriptions(engine),
  ...sqlMaintenance(engine),
});

type OrderReads = Pick<
  OrderStore,
  "find" | "findCheckout" | "listPayments" | "revokeCustomerTokens"
>;

function sqlOrderReads(engine: SqlEngine): OrderReads {
  const findCheckout = orderAlgorithms(engine).findCheckout(engine);
  const attemptsOf = attemptReader(engine);

  return {
    find: (kind, partition, id, client) =>
      engine.read(() => findRecord(engine, kind, { ...partition, id }), client),

    findCheckout: (partition, session_id, client) =>
      engine.read(function* (): QueryGenerator<CheckoutDetails | null> {
        const rows = yield* many(findCheckout({ ...partitionColumns(partition), id: session_id }));
        const recordOf = (kind: "session" | "order") =>
          rows.find((row) => row.kind === kind)?.record;
        const session = recordOf("session");
        if (session === undefined) return null;

        const found = recordOf("order");
        const order = found === undefined ? null : fromJson<OrderRecord>(found);
        const attempts = order ? yield* attemptsOf(order) : [];
        return {
          session: fromJson<SessionRecord>(session),
          order,
          attempt: currentAttempt(attempts),
        };
      }, client),

    listPayments: (partition, order_id) =>
      engine.read(function* (): QueryGenerator<readonly PaymentRecord[]> {
        const rows = yield* many(paymentsOf(engine, partition, order_id));
        return rows.map((row) => readPayment(row.record)).sort(byCreation);
      }),

    revokeCustomerTokens: (revocation) =>
      auditedWrite(engine, revocation, function* () {
        const { customer_keys, not_before, customer_id } = revocation;
        yield* putRevocation(engine, revocation, customer_keys, { not_before, erased: false });
        return { result: undefined, change: tokensOfCustomer(revocation, customer_id) };
      }),
  };
}

/** Where the records of a kind lie, and how they are read. */
const records: {
  readonly [Kind in keyof OrderRecords]: {
    readonly table: "orders" | "payment_attempts" | "payments" | "refunds" | "subscriptions";
    read(json: string): OrderRecords[Kind];
  };
} = {
  order: { table: "orders", read: fromJson },
  attempt: { table: "payment_attempts", read: readAttempt },
  payment: { table: "payments", read: readPayment },
  refund: { table: "refunds", read: readRefund },
  subscription: { table: "subscriptions", read: fromJson },
};

function* findRecord<Kind extends keyof OrderRecords>(
  { db }: SqlEngine,
  kind: Kind,
  { id, ...partition }: Partition & { readonly id: string },
): QueryGenerator<OrderRecords[Kind] | null> {
  const { table, read } = records[kind];
  const row = yield* one(
    db
      // Kysely types one table at a time. All of these have the columns that are named here.
      .selectFrom(table as "orders")
      .select("record")
      .where(ofPartition(partition))
      .where("id", "=", id),
  );
  return row ? read(row.record) : null;
}

function paymentsOf({ db }: SqlEngine, partition: Partition, order_id: string) {
  return db
    .selectFrom("payments")
    .select("record")
    .where(ofPartition(partition))
    .where("order_id", "=", order_id);
}
