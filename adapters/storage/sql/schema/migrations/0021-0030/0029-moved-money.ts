import type { SqlDialect } from "../../dialect.ts";
import { listedFields } from "../../json-fields.ts";
import type { Migration } from "../../migration.ts";

/** Makes the indexes by which an export finds the money that moved in a span of time. */
function statementsOn(database: SqlDialect["name"]): readonly string[] {
  const field = listedFields(database);

  return [
    `create index {orders_by_payment} on {orders}
      (store_id, livemode, (${field.paid_at}), number) where ${field.paid_at} is not null`,
    `create index {refunds_by_success} on {refunds}
      (store_id, livemode, (${field.succeeded_at}), id) where ${field.succeeded_at} is not null`,
    `create index {disputes_by_loss} on {disputes}
      (store_id, livemode, (${field.lost_at}), order_id, id) where ${field.lost_at} is not null`,
  ];
}

export const migration29: Migration = {
  id: 29,
  name: "moved-money",
  compatible_from: 1,
  statements: { postgres: statementsOn("postgres"), sqlite: statementsOn("sqlite") },
};
