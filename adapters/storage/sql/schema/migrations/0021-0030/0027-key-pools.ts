import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  `create table {key_pools} (store_id $id not null, livemode integer not null,
    product_id $id not null, free bigint not null, primary key (store_id, livemode, product_id))`,
  `create table {pool_keys} (store_id $id not null, livemode integer not null,
    product_id $id not null, key_hash $id not null, id $id not null, sealed_key text,
    last4 text not null, entitlement_id $id,
    primary key (store_id, livemode, product_id, key_hash))`,
  `create index {pool_keys_free} on {pool_keys} (store_id, livemode, product_id, id)
    where entitlement_id is null`,
];

/**
 * Adds the license keys that owners upload. The row of a pool is locked by whoever adds keys or
 * gives them away. An older process knows no products that deliver such keys.
 */
export const migration27: Migration = {
  id: 27,
  name: "key-pools",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
