select "products"."document_version" || ' ' || "products"."position" || ' ' || '' || ' ' || "products"."id" || ' ' || "products"."document_test" as "text_row"
from "products"
where "store_id" = ? and "id" = ? and "active" = 1
union all
select "products"."document_version" || ' ' || "products"."position" || ' ' || '' || ' ' || "products"."id" || ' ' || "products"."document_test" as "text_row"
from "products"
where "store_id" = ? and "slug" = ? and "active" = 1;
