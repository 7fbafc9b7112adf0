select 1
from sqlite_master
where type = 'table' and name = ?;

with hits as materialized (
  select p.id, "p"."position" as "position"
  from (
    select rowid as number
    from "product_search"(?)
    limit 501 ) as f
  left join "product_texts" as t on t.number = f.number and t.store_id = ?
  left join "products" as p on p.store_id = t.store_id and p.id = t.product_id and p.active = 1 and (instr("p"."name_folded", ?) > 0 or instr("p"."slug", ?) > 0)),
counted as materialized (select count(*) as hits, count(id) as own
  from hits),
page as materialized (
  select hits.id, hits.position
  from hits
  where hits.id is not null and (select hits
    from counted) <= 500
  order by hits.position asc, hits.id asc
  limit (select cast(? as bigint))
  offset (select cast(? as bigint)) )
select (select "hits"
  from counted) as hits, (select "own"
  from counted) as own, p.id, page.position, p.document_version, "p"."document_test" as document
from (select 1 as one) as always
left join page on 1 = 1
left join "products" as p on p.store_id = ? and "p"."id" = "page"."id"
order by page.position asc, page.id asc;
