import type { Migration } from "../../migration.ts";

const statements: readonly string[] = [
  `create table {search_words} (store_id $id not null, word $id not null, products bigint not null,
    primary key (store_id, word))`,
  `create table {search_deletions} (store_id $id not null, deletion $id not null,
    word $id not null, primary key (store_id, deletion, word))`,
  "alter table {products} add column words text",
  "create index {products_to_word} on {products} (store_id, id) where words is null",
];

/**
 * Adds the words of products' names, by which a search that finds nothing is corrected. The column
 * `words` of a product holds the words that are counted for it, and null before they are. An older
 * process does not write this column, so the counts stay right beside it.
 */
export const migration25: Migration = {
  id: 25,
  name: "search-words",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
