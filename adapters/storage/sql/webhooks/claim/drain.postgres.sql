with recursive "seen"(endpoint_id, due_at, event_id, n) as (
  select f.endpoint_id, f.due_at, f.event_id, 1
  from (
    select d.endpoint_id, d.due_at, d.event_id
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > (select '') and d.endpoint_id < (select '~')
    order by d.endpoint_id, d.due_at, d.event_id
    limit 1) as f
  where 1 = 1
  union all
  select f.endpoint_id, f.due_at, f.event_id, n + 1
  from "seen" cross join lateral (
    select d.endpoint_id, d.due_at, d.event_id
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > (select "seen"."endpoint_id") and d.endpoint_id < (select '~')
    order by d.endpoint_id, d.due_at, d.event_id
    limit 1) as f
  where n < 256),
"later"(endpoint_id, due_at, event_id, n) as (
  select f.endpoint_id, f.due_at, f.event_id, 1
  from (
    select d.endpoint_id, d.due_at, d.event_id
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > (select $1) and d.endpoint_id < (select '~')
    order by d.endpoint_id, d.due_at, d.event_id
    limit 1) as f
  where $2 <> '' and (select count(endpoint_id)
    from seen) = 256
  union all
  select f.endpoint_id, f.due_at, f.event_id, n + 1
  from "later" cross join lateral (
    select d.endpoint_id, d.due_at, d.event_id
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > (select "later"."endpoint_id") and d.endpoint_id < (select '~')
    order by d.endpoint_id, d.due_at, d.event_id
    limit 1) as f
  where n < 256),
next as materialized (
  select c.endpoint_id, c.due_at, c.event_id
  from (
    select endpoint_id, due_at, event_id
    from (
      select endpoint_id, due_at, event_id
      from seen union
      select endpoint_id, due_at, event_id
      from later ) as jumped
    where endpoint_id is not null
    order by endpoint_id <= $3, endpoint_id
    limit 256 ) as c),
looked as materialized (
  select next.*, e.state as endpoint_state, e.record
  from next
  left join "webhook_endpoints" as e on e.id = next.endpoint_id and next.due_at <= $4),
picked as materialized (
  select d.*
  from (
    select l.endpoint_id, l.due_at, l.event_id, greatest(coalesce(g.quota, $5), 0) as quota
    from looked as l
    left join (
      select *
      from json_to_recordset(cast($6 as json)) as t("id" text, "quota" bigint)
      limit (select cast(null as bigint)) ) as "g" on g.id = l.endpoint_id
    where l.endpoint_state = 'enabled'
    order by l.endpoint_id <= $7, l.endpoint_id ) as r cross join lateral (
    select ctid as place, endpoint_id, due_at, event_id
    from "deliveries"
    where state = 'pending' and (endpoint_id, due_at, event_id) >= (r.endpoint_id, r.due_at, r.event_id) and (endpoint_id, due_at) <= (r.endpoint_id, $8)
    order by endpoint_id, due_at, event_id
    limit r.quota
    for update skip locked ) as d
  limit (select cast($9 as bigint))),
leased as ( update "deliveries" as d
  set due_at = $10, lease_token = $11, lost_leases = case when d.lease_token is null then d.lost_leases else d.lost_leases + 1 end
  where d.ctid = any(array(select place
      from picked))
  returning d.* )
select endpoint_id, due_at, endpoint_state, record, null as event_id, null as store_id, null as livemode, null as event_type, null as state, null as attempts, null as created_at, null as updated_at, null as failures, null as lost_leases, null as body
from looked
union all
select l.endpoint_id, l.due_at, null, null, l.event_id, l.store_id, l.livemode, l.event_type, l.state, l.attempts, l.created_at, l.updated_at, l.failures, l.lost_leases, e.body
from leased as l
left join lateral (
  select e.body
  from "events" as e
  where (e.store_id, e.livemode, e.id) >= (l.store_id, l.livemode, l.event_id) and (e.store_id, e.livemode, e.id) <= (l.store_id, l.livemode, l.event_id)
  order by e.store_id, e.livemode, e.id
  limit 1) as e on true
union all (
  select distinct on (p.endpoint_id) p.endpoint_id, p.due_at, null, null, p.event_id, null, null, null, null, null, null, null, null, null, null
  from picked as p
  order by p.endpoint_id, p.due_at desc, p.event_id desc );

with written as ( update "deliveries" as d
  set state = case when g.taken = 1 then 'delivered' when d.resume_state is not null then d.resume_state when g.next_due is null then 'exhausted' else 'pending' end, due_at = case when g.taken = 1 then d.due_at when d.resume_state is not null then d.resume_due else coalesce(g.next_due, d.due_at) end, failures = case when g.taken = 1 or d.resume_state is not null then d.failures else d.failures + 1 end, attempts = d.attempts + 1, lease_token = null, lost_leases = 0, resume_state = null, resume_due = null, updated_at = $1
  from (
    select *
    from json_to_recordset(cast($2 as json)) as t("store" text, "endpoint" text, "event" text, "token" text, "taken" bigint, "next_due" bigint, "stat_hour" bigint, "stat_kind" text, "started_at" bigint, "duration_ms" bigint, "status" bigint, "error" text, "snippet" text)
    limit (select cast(null as bigint)) ) as "g"
  where d.store_id = g.store and d.endpoint_id = g.endpoint and d.event_id = g.event and ((g.taken = 1 and d.state <> 'delivered') or (g.taken = 0 and d.state = 'pending' and d.lease_token = g.token)) and not exists (
    select 1
    from "webhook_endpoints" as e
    where e.store_id = g.store and e.id = g.endpoint and e.state = 'enabled' and e.failing_since is not null )
  returning store_id, livemode, endpoint_id, event_id, state, attempts, started_at, duration_ms, status, error, snippet, stat_hour, stat_kind),
logged as ( insert into "delivery_attempts" ( store_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, error, snippet, in_stats)
  select store_id, endpoint_id, event_id, attempts, started_at, duration_ms, status, error, snippet, 1
  from written),
counted as ( insert into "hourly_stats" as s (store_id, livemode, hour, kind, currency, count, amount)
  select store_id, livemode, stat_hour, stat_kind, '', count(*), 0
  from written
  group by 1, 2, 3, 4
  order by 1, 2, 3, 4
  on conflict (store_id, livemode, hour, kind, currency) do update
  set count = s.count + excluded.count, amount = s.amount + excluded.amount )
select store_id, livemode, endpoint_id, event_id, state, attempts
from written;

select (
  select case when state = 'pending' then due_at end
  from "deliveries" as d
  where (case when state = 'pending' then due_at end) is not null and (
    select count(*)
    from "webhook_endpoints" as e
    where e.store_id = d.store_id and e.id = d.endpoint_id and e.state = 'enabled' ) > 0
  order by case when state = 'pending' then due_at end
  limit 1 ) as next_due, (
  select count(*)
  from "alert_notices" as n
  where n.due_at <= $1 ) as notices;
