select held.id || ' ' || held.store_id || ' ' || cast(held.livemode as text) || ' ' || held.kind || ' ' || held.last4 || ' ' || cast(held.created_at as text) || ' ' || coalesce(cast(held.revoked_at as text), '') || ' ' || cast(shop.catalog_version as text) || ' ' || held.scopes || ' ' || shop.origins || ' ' || shop.return_urls || ' ' || shop.record || ' ' || held.name as "text_row"
from "api_keys" as "held"
inner join "stores" as "shop" on "shop"."id" = "held"."store_id"
where "held"."key_hash" = ?;

select *
from "events"
where "store_id" = ? and "livemode" = ? and "body" is not null
order by "sequence"
limit ?;
