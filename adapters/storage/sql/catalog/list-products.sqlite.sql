select "products"."document_version" || ' ' || "products"."position" || ' ' || '' || ' ' || "products"."id" || ' ' || "products"."document_test" as "text_row"
from "products"
where "products"."store_id" = ? and "products"."active" = 1
order by "products"."position" asc, "products"."id" asc
limit ?
offset ?;
