select "page"."document_version" || ' ' || "page"."sort_position" || ' ' || '' || ' ' || "page"."id" || ' ' || "page"."document_test" as "text_row"
from (select "p"."document_version", "p"."id", "p"."document_test", "p"."position" as "sort_position", "p"."id" as "sort_id"
  from "products" as "p"
  where "p"."store_id" = $1 and "p"."active" = 1
  order by "p"."position" asc, "p"."id" asc
  limit 1000) as "page"
order by "sort_position" asc, "sort_id" asc
limit (select cast($2 as bigint))
offset (select cast($3 as bigint));
