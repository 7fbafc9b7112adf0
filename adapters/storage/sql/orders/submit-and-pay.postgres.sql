select "record", 'session' as "kind"
from "checkout_sessions"
where "store_id" = $1 and "livemode" = $2 and "id" = $3
union all
select "record", 'order' as "kind"
from "orders"
where "store_id" = $4 and "livemode" = $5 and "session_id" = $6;

select "record"
from "payment_methods"
where "store_id" = $1
order by "position", "id"
limit $2;

begin isolation level read committed;

select "test_offset"
from "stores"
where "id" = $1 for key share;

select "record"
from "checkout_sessions"
where "store_id" = $1 and "livemode" = $2 and "id" = $3
for update;

select "record"
from "orders"
where "store_id" = $1 and "livemode" = $2 and "session_id" = $3
for update;

select "record"
from "products"
where "store_id" = $1 and "id" in ($2);

select "product_id", "stock", "held", "counted"
from "stock"
where "store_id" = $1 and "livemode" = $2 and "product_id" in ($3)
order by "product_id"
for update;

insert into "counters" ("store_id", "livemode", "order_number", "sequence")
values ($1, $2, $3, $4)
on conflict ("store_id", "livemode") do update
set "order_number" = "counters"."order_number" + "excluded"."order_number", "sequence" = "counters"."sequence" + "excluded"."sequence"
returning "order_number", "sequence";

with s as (update "checkout_sessions"
  set "status" = $1, "expires_at" = $2, "sweep_at" = $3, "record" = $4
  where "store_id" = $5 and "livemode" = $6 and "id" = $7),
o as (insert into "orders" ("store_id", "livemode", "id", "created_at", "in_stats", "number", "status", "session_id", "customer_id", "subscription_id", "period_start", "sweep_at", "updated_at", "record")
  values ($8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
  returning "id"),
t as ( insert into "order_terms" (store_id, livemode, term, number)
  select $22, cast($23 as integer), value, cast($24 as bigint)
  from json_array_elements_text(cast($25 as json)) as e(value)),
a as (insert into "payment_attempts" ("store_id", "livemode", "id", "order_id", "session_id", "gateway", "account", "reference", "payment_reference", "state", "check_at", "created_at", "record")
  values ($26, $27, $28, $29, $30, $31, $32, $33, $34, $35, $36, $37, $38)
  on conflict ("store_id", "livemode", "id") do update
  set "order_id" = $39, "session_id" = $40, "gateway" = $41, "account" = $42, "reference" = $43, "payment_reference" = $44, "state" = $45, "check_at" = $46, "created_at" = $47, "record" = $48)
select (select count(*)
  from o) as orders, 0 as payments;

with c as (select cast($1 as bigint) as before),
i as ( insert into "events" (store_id, livemode, id, sequence, type, created_at, body)
  select $2, cast($3 as integer), g.id, c.before + g.at, g.type, g.created_at, g.head || cast(c.before + g.at as text) || g.tail
  from (
    select *
    from json_to_recordset(cast($4 as json)) as t("id" text, "type" text, "created_at" bigint, "agent" text, "at" bigint, "head" text, "tail" text)
    limit (select cast(null as bigint)) ) as "g" cross join c) insert into "deliveries" (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0, g.created_at, null, g.created_at, g.created_at
from (
  select *
  from json_to_recordset(cast($5 as json)) as t("id" text, "type" text, "created_at" bigint, "agent" text)
  limit (select cast(null as bigint)) ) as "g" join "webhook_endpoints" as e on e.store_id = $6 and e.livemode = $7
where e.event_types is null or strpos(e.event_types, '"' || g.type || '"') > 0 or strpos(e.event_types, g.agent) > 0;

commit;

begin isolation level read committed;

select "test_offset"
from "stores"
where "id" = $1 for key share;

select "record"
from "checkout_sessions"
where "store_id" = $1 and "livemode" = $2 and "id" = $3
for update;

select "record"
from "orders"
where "store_id" = $1 and "livemode" = $2 and "session_id" = $3
for update;

select 'payment' as kind, p.record
from "payments" as p
where p.store_id = $1 and p.livemode = $2 and p.order_id = $3
union all
select 'attempt' as kind, a.record
from "payment_attempts" as a
where a.store_id = $4 and a.livemode = $5 and a.order_id = $6
union all
select 'elsewhere' as kind, record
from "payment_attempts"
where store_id = $7 and livemode = $8 and order_id <> $9 and id in (
  select id
  from "payment_attempts"
  where "store_id" = $10 and "livemode" = $11 and reference = $12 union
  select id
  from "payment_attempts"
  where "store_id" = $13 and "livemode" = $14 and payment_reference = $15 union
  select attempt_id
  from "payments"
  where "store_id" = $16 and "livemode" = $17 and payment_reference = $18);

select "product_id", "stock", "held", "counted"
from "stock"
where "store_id" = $1 and "livemode" = $2 and "product_id" in ($3)
order by "product_id"
for update;

with s as (update "checkout_sessions"
  set "status" = $1, "expires_at" = $2, "sweep_at" = $3, "record" = $4
  where "store_id" = $5 and "livemode" = $6 and "id" = $7),
o as (update "orders"
  set "number" = $8, "status" = $9, "session_id" = $10, "customer_id" = $11, "subscription_id" = $12, "period_start" = $13, "sweep_at" = $14, "updated_at" = $15, "record" = $16
  where "store_id" = $17 and "livemode" = $18 and "id" = $19 and "status" = $20
  returning "id"),
a as (insert into "payment_attempts" ("store_id", "livemode", "id", "order_id", "session_id", "gateway", "account", "reference", "payment_reference", "state", "check_at", "created_at", "record")
  values ($21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31, $32, $33)
  on conflict ("store_id", "livemode", "id") do update
  set "order_id" = $34, "session_id" = $35, "gateway" = $36, "account" = $37, "reference" = $38, "payment_reference" = $39, "state" = $40, "check_at" = $41, "created_at" = $42, "record" = $43),
p as (insert into "payments" ("store_id", "livemode", "gateway", "account", "payment_reference", "id", "attempt_id", "order_id", "check_at", "record")
  values ($44, $45, $46, $47, $48, $49, $50, $51, $52, $53)
  on conflict do nothing
  returning "id")
select (select count(*)
  from o) as orders, (select count(*)
  from p) as payments;

with c as ( insert into "counters" as k (store_id, livemode, order_number, sequence)
  values ($1, $2, 0, $3)
  on conflict (store_id, livemode) do update
  set sequence = k.sequence + excluded.sequence
  returning sequence - cast($4 as bigint) as before),
"totals" as ( insert into "customer_totals" as k (store_id, livemode, customer_id, currency, orders, spent)
  select o.store_id, o.livemode, t.customer_id, t.currency, t.orders, t.spent
  from c cross join "orders" as o cross join (
    select *
    from json_to_recordset(cast($5 as json)) as t("customer_id" text, "currency" text, "orders" bigint, "spent" bigint)
    limit (select cast(null as bigint)) ) as "t"
  where o.store_id = $6 and o.livemode = $7 and o.id = $8 and "o"."created_at" is not null
  on conflict (store_id, livemode, customer_id, currency) do update
  set orders = k.orders + excluded.orders, spent = k.spent + excluded.spent),
"stats" as ( insert into "hourly_stats" as s (store_id, livemode, hour, kind, currency, count, amount)
  select $9, cast($10 as integer), h.hour, h.kind, h.currency, h.count, h.amount
  from c cross join (
    select *
    from json_to_recordset(cast($11 as json)) as t("hour" bigint, "kind" text, "currency" text, "count" bigint, "amount" bigint)
    limit (select cast(null as bigint)) ) as "h"
  where 1 = 1
  on conflict (store_id, livemode, hour, kind, currency) do update
  set count = s.count + excluded.count, amount = s.amount + excluded.amount),
i as ( insert into "events" (store_id, livemode, id, sequence, type, created_at, body)
  select $12, cast($13 as integer), g.id, c.before + g.at, g.type, g.created_at, g.head || cast(c.before + g.at as text) || g.tail
  from (
    select *
    from json_to_recordset(cast($14 as json)) as t("id" text, "type" text, "created_at" bigint, "agent" text, "at" bigint, "head" text, "tail" text)
    limit (select cast(null as bigint)) ) as "g" cross join c) insert into "deliveries" (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0, g.created_at, null, g.created_at, g.created_at
from (
  select *
  from json_to_recordset(cast($15 as json)) as t("id" text, "type" text, "created_at" bigint, "agent" text)
  limit (select cast(null as bigint)) ) as "g" join "webhook_endpoints" as e on e.store_id = $16 and e.livemode = $17
where e.event_types is null or strpos(e.event_types, '"' || g.type || '"') > 0 or strpos(e.event_types, g.agent) > 0;

commit;
