with hits as materialized (
  select p.id, "p"."position" as "position"
  from "products" as p
  where p.store_id = $1 and p.active = 1 and (p.name_folded like $2 or p.slug like $3) and true
  limit 501),
counted as materialized (select count(*) as hits, count(id) as own
  from hits),
page as materialized (
  select hits.id, hits.position
  from hits
  where hits.id is not null and (select hits
    from counted) <= 500
  order by hits.position asc, hits.id asc
  limit (select cast($4 as bigint))
  offset (select cast($5 as bigint)) )
select (select "hits"
  from counted) as hits, (select "own"
  from counted) as own, p.id, page.position, p.document_version, "p"."document_test" as document
from (select 1 as one) as always
left join page on 1 = 1
left join lateral (
  select *
  from "products" as p
  where p.store_id = $6 and "p"."id" between "page"."id" and "page"."id"
  order by "p"."id"
  limit 1) as p on true
order by page.position asc, page.id asc;
