import type { Migration } from "../../migration.ts";

// The table holds money that came, one row for each payment at a provider. An older
// version knew it only by the attempt that it was reported for.

const tables: readonly string[] = [
  `create table {payments} (store_id $id not null, livemode integer not null,
    gateway $id not null, account $id not null, payment_reference $id not null, id $id not null,
    attempt_id $id not null, order_id $id not null, check_at bigint, record text not null,
    primary key (store_id, livemode, gateway, account, payment_reference),
    unique (store_id, livemode, id))`,
  "create index {payments_by_order} on {payments} (store_id, livemode, order_id)",
  "create index {payments_by_reference} on {payments} (payment_reference, gateway)",
  "create index {payments_to_check} on {payments} (check_at) where check_at is not null",
  "alter table {payment_attempts} add column account $id",
  "alter table {payment_attempts} add column payment_reference $id",
];

const byPayment = `create index {payment_attempts_by_payment} on {payment_attempts}
    (payment_reference, gateway) where payment_reference is not null`;

const indexesOnSqlite: readonly string[] = [
  "drop index {=payment_attempts_by_reference}",
  "create index {payment_attempts_by_reference} on {payment_attempts} (reference, gateway)",
  byPayment,
];

// Notifications look attempts up by the old index until the new one is there.
const indexesOnPostgres: readonly string[] = [
  "create index {payment_attempts_new_by_reference} on {payment_attempts} (reference, gateway)",
  "drop index {=payment_attempts_by_reference}",
  `alter index {=payment_attempts_new_by_reference}
    rename to {payment_attempts_by_reference}`,
  byPayment,
];

/** Books the money of attempts. Of several with one reference, the one that paid has it. */
const bookMoney = (record: string): string => `
  insert into {payments} (store_id, livemode, gateway, account, payment_reference, id,
    attempt_id, order_id, check_at, record)
  select store_id, livemode, gateway, '', reference, id, id, order_id, null, ${record}
  from (
    select a.*, row_number() over (
      partition by store_id, livemode, gateway, reference
      order by case state when 'succeeded' then 0 when 'returned' then 1 else 2 end, created_at, id
    ) as place
    from {payment_attempts} as a
    where reference is not null and state in ('succeeded', 'duplicate', 'returned')
  ) as money
  where place = 1`;

const state = "case state when 'succeeded' then 'booked' else state end";

const bookOnSqlite = bookMoney(`json_object(
    'store_id', store_id, 'livemode', json(case livemode when 1 then 'true' else 'false' end),
    'id', id, 'gateway', gateway, 'account', null, 'payment_reference', reference,
    'attempt_id', id, 'order_id', order_id, 'state', ${state},
    'amount', json_extract(record, '$.amount'), 'currency', json_extract(record, '$.currency'),
    'return', null, 'check_at', null, 'created_at', created_at,
    'updated_at', json_extract(record, '$.updated_at'))`);

const rankOf = (alias: string): string =>
  `case ${alias}.state when 'succeeded' then 0 when 'returned' then 1 else 2 end,
    ${alias}.created_at, ${alias}.id`;

/** Does the same chunk by chunk: whichever chunk an attempt lies in, the same one has the money. */
const bookOnPostgres = `
  insert into {payments} (store_id, livemode, gateway, account, payment_reference, id,
    attempt_id, order_id, check_at, record)
  select c.store_id, c.livemode, c.gateway, '', c.reference, c.id, c.id, c.order_id, null,
    json_build_object(
      'store_id', c.store_id, 'livemode', c.livemode = 1,
      'id', c.id, 'gateway', c.gateway, 'account', null, 'payment_reference', c.reference,
      'attempt_id', c.id, 'order_id', c.order_id,
      'state', case c.state when 'succeeded' then 'booked' else c.state end,
      'amount', c.record::json->'amount', 'currency', c.record::json->'currency',
      'return', null, 'check_at', null, 'created_at', c.created_at,
      'updated_at', c.record::json->'updated_at')::text
  from {payment_attempts} as c
  where $range[payment_attempts:store_id,livemode,id]
    and c.reference is not null and c.state in ('succeeded', 'duplicate', 'returned')
    and not exists (
      select 1 from {payment_attempts} as b
      where b.store_id = c.store_id and b.livemode = c.livemode and b.gateway = c.gateway
        and b.reference = c.reference and b.state in ('succeeded', 'duplicate', 'returned')
        and (${rankOf("b")}) < (${rankOf("c")}))
  on conflict do nothing`;

export const migration4: Migration = {
  id: 4,
  name: "payments",
  compatible_from: 4,
  former_checksums: ["83a4e858"],
  statements: {
    postgres: [...tables, ...indexesOnPostgres, bookOnPostgres],
    sqlite: [...tables, ...indexesOnSqlite, bookOnSqlite],
  },
};
