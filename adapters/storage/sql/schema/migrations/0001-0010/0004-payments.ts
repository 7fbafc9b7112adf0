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
  "drop index {=payment_attempts_by_reference}",
  "create index {payment_attempts_by_reference} on {payment_attempts} (reference, gateway)",
  `create index {payment_attempts_by_payment} on {payment_attempts} (payment_reference, gateway)
    where payment_reference is not null`,
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

const bookOnPostgres = bookMoney(`json_build_object(
    'store_id', store_id, 'livemode', livemode = 1,
    'id', id, 'gateway', gateway, 'account', null, 'payment_reference', reference,
    'attempt_id', id, 'order_id', order_id, 'state', ${state},
    'amount', record::json->'amount', 'currency', record::json->'currency',
    'return', null, 'check_at', null, 'created_at', created_at,
    'updated_at', record::json->'updated_at')::text`);

export const migration4: Migration = {
  id: 4,
  name: "payments",
  statements: {
    postgres: [...tables, bookOnPostgres],
    sqlite: [...tables, bookOnSqlite],
  },
};
