select held.id || ' ' || held.store_id || ' ' || cast(held.livemode as text) || ' ' || held.kind || ' ' || held.last4 || ' ' || cast(held.created_at as text) || ' ' || coalesce(cast(held.revoked_at as text), '') || ' ' || cast(shop.catalog_version as text) || ' ' || held.scopes || ' ' || shop.origins || ' ' || shop.return_urls || ' ' || shop.record || ' ' || held.name as "text_row"
from "api_keys" as "held"
inner join "stores" as "shop" on "shop"."id" = "held"."store_id"
where "held"."key_hash" = $1;

select "s"."record" as "session", "o"."record" as "order"
from "checkout_sessions" as "s"
left join "orders" as "o" on "o"."store_id" = "s"."store_id" and "o"."livemode" = "s"."livemode" and "o"."session_id" = "s"."id"
where "s"."store_id" = $1 and "s"."livemode" = $2 and "s"."id" = $3;
