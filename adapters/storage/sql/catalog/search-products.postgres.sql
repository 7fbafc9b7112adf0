with hits as materialized (
  select p.id, "p"."position" as "position"
  from "products" as p
  where p.store_id = $1 and p.active = 1 and (p.name_folded like $2 or p.slug like $3) and (strpos("p"."name_folded", $4) > 0 or strpos("p"."slug", $5) > 0)
  limit 501),
page as materialized (
  select hits.id, hits.position
  from hits
  where hits.id is not null and (select count(*)
    from hits) <= 500
  order by hits.position asc, hits.id asc
  limit (select cast($6 as bigint))
  offset (select cast($7 as bigint)) )
select (select count(*)
  from hits) as hits, (select count(id)
  from hits) as own, p.id, page.position, p.document_version, "p"."document_test" as document
from (select 1 as one) as always
left join page on 1 = 1
left join "products" as p on p.store_id = $8 and p.id = page.id
order by page.position asc, page.id asc;
