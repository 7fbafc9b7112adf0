select held.id || ' ' || held.store_id || ' ' || cast(held.livemode as text) || ' ' || held.kind || ' ' || held.last4 || ' ' || cast(held.created_at as text) || ' ' || coalesce(cast(held.revoked_at as text), '') || ' ' || cast(shop.catalog_version as text) || ' ' || held.scopes || ' ' || shop.origins || ' ' || shop.return_urls || ' ' || shop.record || ' ' || held.name as "text_row"
from "api_keys" as "held"
inner join "stores" as "shop" on "shop"."id" = "held"."store_id"
where "held"."key_hash" = $1;

insert into "rate_buckets" as b (bucket, hits, updated_at)
values ($1, '[' || cast($2 as bigint) || ']', cast($3 as bigint))
on conflict (bucket) do update
set hits = '[' || coalesce((select string_agg(value, ',')
    from json_array_elements_text(cast(b.hits as json)) as e(value)
    where cast(value as bigint) > cast($4 as bigint) - $5 and cast(value as bigint) <= cast($6 as bigint) + 1000) || ',', '') || cast($7 as bigint) || ']', updated_at = excluded.updated_at
where (select count(*)
  from json_array_elements_text(cast(b.hits as json)) as e(value)
  where cast(value as bigint) > cast($8 as bigint) - $9 and cast(value as bigint) <= cast($10 as bigint) + 1000) < $11
returning hits;

select 'key' || ' ' || k.fingerprint || ' ' || k.session_id || ' ' || coalesce(cast(k.status as text), '') || ' ' || coalesce(cast(k.request_id as text), '') || ' ' || coalesce(cast(k.lock_token as text), '') || ' ' || cast(k.locked_until as text) || ' ' || cast(k.created_at as text) || ' ' || coalesce(cast(s.record as text), '') || ' ' || coalesce(cast(k.body as text), '') as "text_row"
from "idempotency_keys" as k
left join "checkout_sessions" as s on s.store_id = k.store_id and s.livemode = k.livemode and s.id = k.session_id
where k.store_id = $1 and k.livemode = $2 and k.key_kind = $3 and k.operation = $4 and k.idempotency_key = $5
union all
select 'product' || ' ' || coalesce(cast(case when t.counted = 1 then t.stock - t.held end as text), '') || ' ' || p.record as "text_row"
from "products" as p
left join "stock" as t on t.store_id = p.store_id and t.livemode = $6 and t.product_id = p.id
where p.store_id = $7 and p.id in ($8)
union all
select 'coupon' || ' ' || cast(coalesce(n.used, 0) as text) || ' ' || c.record as "text_row"
from "coupons" as c
left join "coupon_counters" as n on n.store_id = c.store_id and n.livemode = $9 and n.coupon_id = c.id
where c.store_id = $10 and c.code = $11;

with claimed as ( insert into "idempotency_keys" (store_id, livemode, key_kind, operation, idempotency_key, fingerprint, session_id, status, body, request_id, lock_token, locked_until, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, null, 0, $11)
  on conflict do nothing
  returning store_id, livemode, session_id) insert into "checkout_sessions" (store_id, livemode, id, status, expires_at, record)
select store_id, livemode, session_id, 'open', cast($12 as bigint), $13
from claimed
returning id as session_id;
