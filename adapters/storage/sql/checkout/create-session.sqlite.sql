select held.id || ' ' || held.store_id || ' ' || cast(held.livemode as text) || ' ' || held.kind || ' ' || held.last4 || ' ' || cast(held.created_at as text) || ' ' || coalesce(cast(held.revoked_at as text), '') || ' ' || cast(shop.catalog_version as text) || ' ' || held.scopes || ' ' || shop.origins || ' ' || shop.return_urls || ' ' || shop.record || ' ' || held.name as "text_row"
from "api_keys" as "held"
inner join "stores" as "shop" on "shop"."id" = "held"."store_id"
where "held"."key_hash" = ?;

begin immediate;

insert into "rate_buckets" as b (bucket, hits, updated_at)
values (?, '[' || cast(? as bigint) || ']', cast(? as bigint))
on conflict (bucket) do update
set hits = '[' || coalesce((select group_concat(value, ',')
    from json_each(b.hits)
    where cast(value as bigint) > cast(? as bigint) - ? and cast(value as bigint) <= cast(? as bigint) + 1000) || ',', '') || cast(? as bigint) || ']', updated_at = excluded.updated_at
where (select count(*)
  from json_each(b.hits)
  where cast(value as bigint) > cast(? as bigint) - ? and cast(value as bigint) <= cast(? as bigint) + 1000) < ?
returning hits;

commit;

select 'key' || ' ' || k.fingerprint || ' ' || k.session_id || ' ' || coalesce(cast(k.status as text), '') || ' ' || coalesce(cast(k.request_id as text), '') || ' ' || coalesce(cast(k.lock_token as text), '') || ' ' || cast(k.locked_until as text) || ' ' || cast(k.created_at as text) || ' ' || coalesce(cast(s.record as text), '') || ' ' || coalesce(cast(k.body as text), '') as "text_row"
from "idempotency_keys" as k
left join "checkout_sessions" as s on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
where k.store_id = ? and k.livemode = ? and k.key_kind = ? and k.operation = ? and k.idempotency_key = ?
union all
select 'product' || ' ' || coalesce(cast(case when t.counted = 1 then t.stock - t.held end as text), '') || ' ' || p.record as "text_row"
from "products" as p
left join "stock" as t on t.store_id = p.store_id and t.livemode = ? and t.product_id = p.id
where p.store_id = ? and p.id in (?)
union all
select 'coupon' || ' ' || cast(coalesce(n.used, 0) as text) || ' ' || c.record as "text_row"
from "coupons" as c
left join "coupon_counters" as n on n.store_id = c.store_id and n.livemode = ? and n.coupon_id = c.id
where c.store_id = ? and c.code = ?;

begin immediate;

insert into "idempotency_keys" ("store_id", "livemode", "key_kind", "operation", "idempotency_key", "fingerprint", "session_id", "status", "body", "request_id", "lock_token", "locked_until", "created_at")
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict do nothing;

insert into "checkout_sessions" ("store_id", "livemode", "id", "status", "expires_at", "record")
values (?, ?, ?, ?, ?, ?);

commit;
