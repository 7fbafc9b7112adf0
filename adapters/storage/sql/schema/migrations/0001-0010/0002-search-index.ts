import type { Migration } from "../../migration.ts";

/**
 * PostgreSQL has a trigram index, where the extension is installed or may be
 * created. Without it, the same products are found by a scan. The extension goes to
 * the schema `public`: in the schema of one instance, dropping that schema would
 * drop the other instances' indexes too.
 */
const postgres = [
  `do $$ begin create extension if not exists pg_trgm with schema public;
exception
  when insufficient_privilege or undefined_file or feature_not_supported or invalid_schema_name
  then null; end $$`,
  `do $$ declare home text; begin
  select n.nspname into home
    from pg_extension e join pg_namespace n on n.oid = e.extnamespace
    where e.extname = 'pg_trgm';
  if home is not null then
    execute format('create index {products_by_text} on {products}
      using gin (name_folded %1$I.gin_trgm_ops, slug %1$I.gin_trgm_ops)', home);
  end if; end $$`,
];

/** SQLite uses this index. It takes FTS5, and SQLite 3.43 for `contentless_delete`. */
export const textIndex = "fts5(name, slug, content='', contentless_delete=1, tokenize='trigram')";
export const textIndexTable = "product_search";

/**
 * SQLite has an FTS5 trigram index. Triggers write it in the transaction that
 * writes the product. The table `product_texts` numbers the products, because
 * `vacuum` may change the row ids of a table without an integer primary key.
 */
const sqlite = [
  `create table {product_texts} (number integer primary key, store_id text not null,
    product_id text not null, unique (store_id, product_id))`,
  `create virtual table {${textIndexTable}}
    using ${textIndex}`,
  `create trigger {product_search_insert} after insert on {products} begin
  insert into {product_texts} (store_id, product_id) values (new.store_id, new.id);
  insert into {product_search} (rowid, name, slug)
    select number, new.name_folded, new.slug from {product_texts}
    where store_id = new.store_id and product_id = new.id;
end`,
  `create trigger {product_search_update} after update of name_folded, slug on {products}
when old.name_folded is not new.name_folded or old.slug is not new.slug begin
  update {product_search} set name = new.name_folded, slug = new.slug
    where rowid = (select number from {product_texts}
      where store_id = new.store_id and product_id = new.id);
end`,
  `create trigger {product_search_delete} after delete on {products} begin
  delete from {product_search} where rowid = (select number from {product_texts}
    where store_id = old.store_id and product_id = old.id);
  delete from {product_texts} where store_id = old.store_id and product_id = old.id;
end`,
  "insert into {product_texts} (store_id, product_id) select store_id, id from {products}",
  `insert into {product_search} (rowid, name, slug)
  select t.number, p.name_folded, p.slug from {product_texts} t
  join {products} p on p.store_id = t.store_id and p.id = t.product_id`,
];

/** Makes the index that product search asks first. */
export const migration2: Migration = {
  id: 2,
  name: "search index",
  compatible_from: 1,
  needsTextIndex: true,
  statements: {
    postgres,
    sqlite,
  },
};
