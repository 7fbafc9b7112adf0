import type { SqlDialect } from "./dialect.ts";

/**
 * An older version compared the minimum of a coupon with carts of any currency. It
 * is in the coupon's currency from now on, else in the store's. The text of the
 * record is extended, so that its other fields stay as they were written.
 */
const nameCurrency = (field: (record: string, name: string) => string): string => `
  update {coupons} as c set record = substr(c.record, 1, length(c.record) - 1)
    || ',"min_subtotal_currency":"' || coalesce(${field("c.record", "currency")},
      (select ${field("s.record", "currency")} from {stores} as s where s.id = c.store_id))
    || '"}'
  where ${field("c.record", "min_subtotal")} is not null
    and ${field("c.record", "min_subtotal_currency")} is null
    and exists (select 1 from {stores} as s where s.id = c.store_id)`;

export const couponsSchema: Readonly<Record<SqlDialect["name"], readonly string[]>> = {
  postgres: [nameCurrency((record, name) => `${record}::json->>'${name}'`)],
  sqlite: [nameCurrency((record, name) => `json_extract(${record}, '$.${name}')`)],
};
