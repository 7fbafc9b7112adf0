select held.id || ' ' || held.store_id || ' ' || cast(held.livemode as text) || ' ' || held.kind || ' ' || held.last4 || ' ' || cast(held.created_at as text) || ' ' || coalesce(cast(held.revoked_at as text), '') || ' ' || cast(shop.catalog_version as text) || ' ' || held.scopes || ' ' || shop.origins || ' ' || shop.return_urls || ' ' || shop.record || ' ' || held.name as "text_row"
from "api_keys" as "held"
inner join "stores" as "shop" on "shop"."id" = "held"."store_id"
where "held"."key_hash" = ?;

select 'order' as "kind", "number", record as "record"
from (select "number", "record"
  from "orders"
  where "store_id" = ? and "livemode" = ?
  order by "number" desc
  limit ?) as "page";
