begin immediate;

with recursive "seen"(endpoint_id, n) as (
  select (
    select min(d.endpoint_id)
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > ''), 1
  where 1 = 1
  union all
  select (
    select min(d.endpoint_id)
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > "seen"."endpoint_id"), n + 1
  from "seen"
  where endpoint_id is not null and n < 256),
"later"(endpoint_id, n) as (
  select (
    select min(d.endpoint_id)
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > ?), 1
  where ? <> '' and (select count(endpoint_id)
    from seen) = 256
  union all
  select (
    select min(d.endpoint_id)
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id > "later"."endpoint_id"), n + 1
  from "later"
  where endpoint_id is not null and n < 256),
next as materialized (
  select c.endpoint_id, (
    select min(d.due_at)
    from "deliveries" as d
    where d.state = 'pending' and d.endpoint_id = c.endpoint_id) as due_at
  from (
    select endpoint_id
    from (
      select endpoint_id
      from seen union
      select endpoint_id
      from later ) as jumped
    where endpoint_id is not null
    order by endpoint_id <= ?, endpoint_id
    limit 256 ) as c),
looked as materialized (
  select next.*, e.state as endpoint_state, e.record
  from next
  left join "webhook_endpoints" as e on e.id = next.endpoint_id and next.due_at <= ? )
select endpoint_id, due_at, endpoint_state, record
from looked;

update "deliveries"
set due_at = ?, lease_token = ?, lost_leases = case when lease_token is null then lost_leases else lost_leases + 1 end
where rowid in (
  select rowid
  from "deliveries"
  where state = 'pending' and endpoint_id = ? and due_at <= ?
  order by due_at
  limit ? )
returning *;

select k.endpoint_id, k.event_id, e.body
from (select value ->> '$.store_id' as "store_id", value ->> '$.livemode' as "livemode", value ->> '$.endpoint_id' as "endpoint_id", value ->> '$.event_id' as "event_id"
  from json_each(?)) as "k" join "events" as e on e.store_id = k.store_id and e.livemode = k.livemode and e.id = k.event_id;

commit;

begin immediate;

update "deliveries" as d
set state = case when g.taken = 1 then 'delivered' when d.resume_state is not null then d.resume_state when g.next_due is null then 'exhausted' else 'pending' end, due_at = case when g.taken = 1 then d.due_at when d.resume_state is not null then d.resume_due else coalesce(g.next_due, d.due_at) end, failures = case when g.taken = 1 or d.resume_state is not null then d.failures else d.failures + 1 end, attempts = d.attempts + 1, lease_token = null, lost_leases = 0, resume_state = null, resume_due = null, updated_at = ?
from (select value ->> '$.store' as "store", value ->> '$.endpoint' as "endpoint", value ->> '$.event' as "event", value ->> '$.token' as "token", value ->> '$.taken' as "taken", value ->> '$.next_due' as "next_due", value ->> '$.stat_hour' as "stat_hour", value ->> '$.stat_kind' as "stat_kind", value ->> '$.started_at' as "started_at", value ->> '$.duration_ms' as "duration_ms", value ->> '$.status' as "status", value ->> '$.error' as "error", value ->> '$.snippet' as "snippet"
  from json_each(?)) as "g"
where d.store_id = g.store and d.endpoint_id = g.endpoint and d.event_id = g.event and ((g.taken = 1 and d.state <> 'delivered') or (g.taken = 0 and d.state = 'pending' and d.lease_token = g.token)) and 1 = 1
returning store_id, livemode, endpoint_id, event_id, state, attempts;

insert into "delivery_attempts" ( store_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, error, snippet, in_stats)
select store_id, endpoint_id, event_id, attempt, started_at, duration_ms, status, error, snippet, in_stats
from (select value ->> '$.store_id' as "store_id", value ->> '$.endpoint_id' as "endpoint_id", value ->> '$.event_id' as "event_id", value ->> '$.attempt' as "attempt", value ->> '$.started_at' as "started_at", value ->> '$.duration_ms' as "duration_ms", value ->> '$.status' as "status", value ->> '$.error' as "error", value ->> '$.snippet' as "snippet", value ->> '$.in_stats' as "in_stats"
  from json_each(?)) as "g";

insert into "hourly_stats" as s (store_id, livemode, hour, kind, currency, count, amount)
select ?, cast(? as integer), h.hour, h.kind, h.currency, h.count, h.amount
from (select value ->> '$.hour' as "hour", value ->> '$.kind' as "kind", value ->> '$.currency' as "currency", value ->> '$.count' as "count", value ->> '$.amount' as "amount"
  from json_each(?)) as "h"
where 1 = 1
on conflict (store_id, livemode, hour, kind, currency) do update
set count = s.count + excluded.count, amount = s.amount + excluded.amount;

select e.id, e.record, e.failing_since, e.failed_attempts, e.failed_event, e.several_events, e.warned
from (select value ->> '$.id' as "id", value ->> '$.failed' as "failed"
  from json_each(?)) as "k" join "webhook_endpoints" as e on e.id = k.id
where e.state = 'enabled' and (k.failed = 1 or e.failing_since is not null) and 1 = 1
order by e.id;

commit;

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
  where n.due_at <= ? ) as notices;
