import type { Migration } from "../../migration.ts";

/**
 * Adds a currency to the minimum of a coupon. An older version compared the minimum
 * with carts of any currency. From now on the minimum is in the coupon's currency,
 * or in the store's when the coupon has none. The new field is appended to the text
 * of the record, so that the other fields stay as they were written.
 */
const nameCurrency = (field: (record: string, name: string) => string, chunk = ""): string => `
  update {coupons} as c set record = substr(c.record, 1, length(c.record) - 1)
    || ',"min_subtotal_currency":"' || coalesce(${field("c.record", "currency")},
      (select ${field("s.record", "currency")} from {stores} as s where s.id = c.store_id))
    || '"}'
  where ${field("c.record", "min_subtotal")} is not null
    and ${field("c.record", "min_subtotal_currency")} is null
    and exists (select 1 from {stores} as s where s.id = c.store_id)${chunk}`;

export const migration8: Migration = {
  id: 8,
  name: "coupons",
  compatible_from: 1,
  former_checksums: ["548b2f99"],
  statements: {
    postgres: [
      nameCurrency(
        (record, name) => `${record}::json->>'${name}'`,
        " and $range[coupons:store_id,id]",
      ),
    ],
    sqlite: [nameCurrency((record, name) => `json_extract(${record}, '$.${name}')`)],
  },
};
