import type { OrderRecord, Partition } from "../../../../src/rules/records.ts";
import type { CustomerRow } from "../../../../src/storage/back-office-store.ts";
import { fromJson, partitionColumns } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one, type QueryGenerator } from "../engine/queries.ts";

export function* listCustomers(
  engine: SqlEngine,
  partition: Partition,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): QueryGenerator<readonly CustomerRow[]> {
  const rows = yield* many(
    totalsOf(engine, partition)
      .select("customer_id")
      .where("customer_id", ">", after ?? "")
      .groupBy("customer_id")
      .orderBy("customer_id")
      .limit(limit),
  );

  const customers: CustomerRow[] = [];
  for (const { customer_id } of rows) {
    const customer = yield* findCustomer(engine, partition, customer_id);
    if (customer) customers.push(customer);
  }
  return customers;
}

export function* findCustomer(
  engine: SqlEngine,
  partition: Partition,
  id: string,
): QueryGenerator<CustomerRow | null> {
  const totals = yield* many(
    totalsOf(engine, partition)
      .select(["customer_id", "currency", "orders", "spent"])
      .where("customer_id", "=", id)
      .orderBy("currency"),
  );
  if (totals.length === 0) return null;

  const { store_id, livemode } = partitionColumns(partition);
  const newest = yield* one(
    engine.db
      .selectFrom("orders")
      .select("record")
      .where("store_id", "=", store_id)
      .where("livemode", "=", livemode)
      .where("customer_id", "=", id)
      .orderBy("number", "desc")
      .limit(1),
  );
  return { id, totals, latest_order: newest ? fromJson<OrderRecord>(newest.record) : null };
}

/** A row of zero orders is left where a customer's last paid order moved to another one. */
function totalsOf({ db }: SqlEngine, partition: Partition) {
  const { store_id, livemode } = partitionColumns(partition);
  return db
    .selectFrom("customer_totals")
    .where("store_id", "=", store_id)
    .where("livemode", "=", livemode)
    .where("orders", ">", 0);
}
