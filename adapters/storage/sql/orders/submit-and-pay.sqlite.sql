select "record", 'session' as "kind"
from "checkout_sessions"
where "store_id" = ? and "livemode" = ? and "id" = ?
union all
select "record", 'order' as "kind"
from "orders"
where "store_id" = ? and "livemode" = ? and "session_id" = ?;

select "record"
from "payment_methods"
where "store_id" = ?
order by "position", "id"
limit ?;

begin immediate;

select "test_offset"
from "stores"
where "id" = ?;

select "record"
from "checkout_sessions"
where "store_id" = ? and "livemode" = ? and "id" = ?;

select "record"
from "orders"
where "store_id" = ? and "livemode" = ? and "session_id" = ?;

select "record"
from "products"
where "store_id" = ? and "id" in (?);

select "product_id", "stock", "held", "counted"
from "stock"
where "store_id" = ? and "livemode" = ? and "product_id" in (?)
order by "product_id";

insert into "counters" ("store_id", "livemode", "order_number", "sequence")
values (?, ?, ?, ?)
on conflict ("store_id", "livemode") do update
set "order_number" = "counters"."order_number" + "excluded"."order_number", "sequence" = "counters"."sequence" + "excluded"."sequence"
returning "order_number", "sequence";

update "checkout_sessions"
set "status" = ?, "expires_at" = ?, "sweep_at" = ?, "record" = ?
where "store_id" = ? and "livemode" = ? and "id" = ?;

insert into "orders" ("store_id", "livemode", "id", "created_at", "in_stats", "number", "status", "session_id", "customer_id", "subscription_id", "period_start", "sweep_at", "updated_at", "record")
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

insert into "order_terms" (store_id, livemode, term, number)
select ?, ?, value, ?
from json_each(?);

insert into "payment_attempts" ("store_id", "livemode", "id", "order_id", "session_id", "gateway", "account", "reference", "payment_reference", "state", "check_at", "created_at", "record")
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict ("store_id", "livemode", "id") do update
set "order_id" = ?, "session_id" = ?, "gateway" = ?, "account" = ?, "reference" = ?, "payment_reference" = ?, "state" = ?, "check_at" = ?, "created_at" = ?, "record" = ?;

with c as (select cast(? as bigint) as before) insert into "events" (store_id, livemode, id, sequence, type, created_at, body)
select ?, cast(? as integer), g.id, c.before + g.at, g.type, g.created_at, g.head || cast(c.before + g.at as text) || g.tail
from (select value ->> '$.id' as "id", value ->> '$.type' as "type", value ->> '$.created_at' as "created_at", value ->> '$.agent' as "agent", value ->> '$.at' as "at", value ->> '$.head' as "head", value ->> '$.tail' as "tail"
  from json_each(?)) as "g" cross join c;

insert into "deliveries" (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0, g.created_at, null, g.created_at, g.created_at
from (select value ->> '$.id' as "id", value ->> '$.type' as "type", value ->> '$.created_at' as "created_at", value ->> '$.agent' as "agent"
  from json_each(?)) as "g" join "webhook_endpoints" as e on e.store_id = ? and e.livemode = ?
where e.event_types is null or instr(e.event_types, '"' || g.type || '"') > 0 or instr(e.event_types, g.agent) > 0;

commit;

begin immediate;

select "test_offset"
from "stores"
where "id" = ?;

select "record"
from "checkout_sessions"
where "store_id" = ? and "livemode" = ? and "id" = ?;

select "record"
from "orders"
where "store_id" = ? and "livemode" = ? and "session_id" = ?;

select 'payment' as kind, p.record
from "payments" as p
where p.store_id = ? and p.livemode = ? and p.order_id = ?
union all
select 'attempt' as kind, a.record
from "payment_attempts" as a
where a.store_id = ? and a.livemode = ? and a.order_id = ?
union all
select 'elsewhere' as kind, record
from "payment_attempts"
where store_id = ? and livemode = ? and order_id <> ? and id in (
  select id
  from "payment_attempts"
  where +"store_id" = ? and +"livemode" = ? and reference = ? union
  select id
  from "payment_attempts"
  where +"store_id" = ? and +"livemode" = ? and payment_reference = ? union
  select attempt_id
  from "payments"
  where +"store_id" = ? and +"livemode" = ? and payment_reference = ?);

select "product_id", "stock", "held", "counted"
from "stock"
where "store_id" = ? and "livemode" = ? and "product_id" in (?)
order by "product_id";

update "checkout_sessions"
set "status" = ?, "expires_at" = ?, "sweep_at" = ?, "record" = ?
where "store_id" = ? and "livemode" = ? and "id" = ?;

update "orders"
set "number" = ?, "status" = ?, "session_id" = ?, "customer_id" = ?, "subscription_id" = ?, "period_start" = ?, "sweep_at" = ?, "updated_at" = ?, "record" = ?
where "store_id" = ? and "livemode" = ? and "id" = ? and "status" = ?;

insert into "payment_attempts" ("store_id", "livemode", "id", "order_id", "session_id", "gateway", "account", "reference", "payment_reference", "state", "check_at", "created_at", "record")
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict ("store_id", "livemode", "id") do update
set "order_id" = ?, "session_id" = ?, "gateway" = ?, "account" = ?, "reference" = ?, "payment_reference" = ?, "state" = ?, "check_at" = ?, "created_at" = ?, "record" = ?;

insert into "payments" ("store_id", "livemode", "gateway", "account", "payment_reference", "id", "attempt_id", "order_id", "check_at", "record")
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict do nothing;

insert into "counters" ("store_id", "livemode", "order_number", "sequence")
values (?, ?, ?, ?)
on conflict ("store_id", "livemode") do update
set "order_number" = "counters"."order_number" + "excluded"."order_number", "sequence" = "counters"."sequence" + "excluded"."sequence"
returning "order_number", "sequence";

with c as (select cast(? as bigint) as before) insert into "events" (store_id, livemode, id, sequence, type, created_at, body)
select ?, cast(? as integer), g.id, c.before + g.at, g.type, g.created_at, g.head || cast(c.before + g.at as text) || g.tail
from (select value ->> '$.id' as "id", value ->> '$.type' as "type", value ->> '$.created_at' as "created_at", value ->> '$.agent' as "agent", value ->> '$.at' as "at", value ->> '$.head' as "head", value ->> '$.tail' as "tail"
  from json_each(?)) as "g" cross join c;

insert into "deliveries" (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, lease_token, created_at, updated_at)
select e.store_id, e.livemode, e.id, g.id, g.type, case when e.state = 'enabled' then 'pending' else 'skipped' end, 0, g.created_at, null, g.created_at, g.created_at
from (select value ->> '$.id' as "id", value ->> '$.type' as "type", value ->> '$.created_at' as "created_at", value ->> '$.agent' as "agent"
  from json_each(?)) as "g" join "webhook_endpoints" as e on e.store_id = ? and e.livemode = ?
where e.event_types is null or instr(e.event_types, '"' || g.type || '"') > 0 or instr(e.event_types, g.agent) > 0;

insert into "customer_totals" as k (store_id, livemode, customer_id, currency, orders, spent)
select o.store_id, o.livemode, t.customer_id, t.currency, t.orders, t.spent
from "orders" as o cross join (select value ->> '$.customer_id' as "customer_id", value ->> '$.currency' as "currency", value ->> '$.orders' as "orders", value ->> '$.spent' as "spent"
  from json_each(?)) as "t"
where o.store_id = ? and o.livemode = ? and o.id = ? and +"o"."created_at" is not null
on conflict (store_id, livemode, customer_id, currency) do update
set orders = k.orders + excluded.orders, spent = k.spent + excluded.spent;

insert into "hourly_stats" as s (store_id, livemode, hour, kind, currency, count, amount)
select ?, cast(? as integer), h.hour, h.kind, h.currency, h.count, h.amount
from (select value ->> '$.hour' as "hour", value ->> '$.kind' as "kind", value ->> '$.currency' as "currency", value ->> '$.count' as "count", value ->> '$.amount' as "amount"
  from json_each(?)) as "h"
where 1 = 1
on conflict (store_id, livemode, hour, kind, currency) do update
set count = s.count + excluded.count, amount = s.amount + excluded.amount;

commit;
