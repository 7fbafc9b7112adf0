import type { SqlDialect } from "./dialect.ts";
import { type Naming, nameStatement } from "./names.ts";
import type { migrationTable, stepTable } from "./table-names.ts";
import type { Tables } from "./tables.ts";

/**
 * Where Citus keeps the rows of a table. With `by_store` they lie on the shard that `store_id`
 * names, so that everything of a store lies on one node. With `local` they lie on the coordinator
 * alone.
 */
type Distribution = "by_store" | "local";

/** Every table of the PostgreSQL schema has a line here. */
export const distribution: Readonly<
  Record<keyof Tables | typeof migrationTable | typeof stepTable, Distribution>
> = {
  // A key and a slug are looked up before the store is known, and each is unique over all stores.
  stores: "local",
  api_keys: "local",
  // The bucket of an address belongs to no store.
  rate_buckets: "local",
  migrations: "local",
  migration_steps: "local",

  alerts: "by_store",
  alert_notices: "by_store",
  audit_log: "by_store",
  categories: "by_store",
  checkout_sessions: "by_store",
  counted_sales: "by_store",
  counters: "by_store",
  coupons: "by_store",
  coupon_counters: "by_store",
  coupon_uses: "by_store",
  customer_tokens: "by_store",
  customer_totals: "by_store",
  dashboard_forms: "by_store",
  dashboard_links: "by_store",
  dashboard_sessions: "by_store",
  deliveries: "by_store",
  delivery_attempts: "by_store",
  disputes: "by_store",
  erasures: "by_store",
  event_cursors: "by_store",
  events: "by_store",
  gateway_notifications: "by_store",
  hourly_stats: "by_store",
  idempotency_keys: "by_store",
  key_pools: "by_store",
  open_holds: "by_store",
  order_notes: "by_store",
  order_terms: "by_store",
  orders: "by_store",
  payment_attempts: "by_store",
  payment_methods: "by_store",
  payments: "by_store",
  pool_keys: "by_store",
  product_categories: "by_store",
  products: "by_store",
  refunds: "by_store",
  request_blocks: "by_store",
  sales_rollups: "by_store",
  search_deletions: "by_store",
  search_words: "by_store",
  session_days: "by_store",
  session_rollups: "by_store",
  stats_hours: "by_store",
  stock: "by_store",
  subscriptions: "by_store",
  webhook_endpoints: "by_store",
};

/** The others are placed beside this table. */
export const firstTable = "orders";

/**
 * Makes the statements that distribute the tables. A table that is distributed
 * already stays as it is. The other tables name the first one: Citus would else
 * place them beside any table of the database whose key has the same type, and
 * refuse another collation.
 */
export function distributeStatements(naming: Naming, dialect: SqlDialect): readonly string[] {
  const others = Object.entries(distribution).flatMap(([name, place]) =>
    place === "by_store" && name !== firstTable ? [name] : [],
  );
  const quoted = (name: string): string =>
    `'${nameStatement(`{${name}}`, naming, dialect).replaceAll("'", "''")}'`;

  const statements = [firstTable, ...others].map((name) => {
    const beside = name === firstTable ? "'none'" : quoted(firstTable);
    return `select create_distributed_table(${quoted(name)}, 'store_id',
        colocate_with => ${beside})
      where not exists (
        select from pg_dist_partition where logicalrelid = cast(${quoted(name)} as regclass))`;
  });
  return [useOneConnection, ...statements];
}

/**
 * Citus would copy the rows of a table over several connections to a node, and then create no
 * function in the same transaction.
 */
export const useOneConnection =
  "select set_config('citus.multi_shard_modify_mode', 'sequential', true)";

/**
 * The arguments of an advisory lock under which a transaction may write while tables are on
 * their way to Citus: writers share it, and the switch takes it alone. A transaction that has
 * it goes on, and one that comes while the switch waits is refused at once, so nobody queues.
 */
export const gateOf = (schema: string, prefix: string): string =>
  `7381222, hashtext(${schema} || '.${prefix}')`;

/** The database's word, with the code 55P03, for a writer that came after the gate was closed. */
export const gateClosed = "the tables are being distributed";
