select "products"."document_version" || ' ' || "products"."position" || ' ' || '' || ' ' || "products"."id" || ' ' || "products"."document_test" as "text_row"
from "products"
where "store_id" = $1 and "id" = $2 and "active" = 1
union all
select "products"."document_version" || ' ' || "products"."position" || ' ' || '' || ' ' || "products"."id" || ' ' || "products"."document_test" as "text_row"
from "products"
where "store_id" = $3 and "slug" = $4 and "active" = 1;
