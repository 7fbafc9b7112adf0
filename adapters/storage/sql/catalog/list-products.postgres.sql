select "page"."document_version" || ' ' || "page"."sort_position" || ' ' || '' || ' ' || "page"."id" || ' ' || "page"."document_test" as "text_row"
from (select "products"."document_version", "products"."id", "products"."document_test", "products"."position" as "sort_position", "products"."id" as "sort_id"
  from "products"
  where "products"."store_id" = $1 and "products"."active" = 1
  order by "products"."position" asc, "products"."id" asc
  limit 1000) as "page"
order by "sort_position" asc, "sort_id" asc
limit (select cast($2 as bigint))
offset (select cast($3 as bigint));
