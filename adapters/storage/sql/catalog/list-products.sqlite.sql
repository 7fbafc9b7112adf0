select "p"."document_version" || ' ' || "p"."position" || ' ' || '' || ' ' || "p"."id" || ' ' || "p"."document_test" as "text_row"
from "products" as "p"
where "p"."store_id" = ? and "p"."active" = 1
order by "p"."position" asc, "p"."id" asc
limit ?
offset ?;
