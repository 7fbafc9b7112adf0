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
 * Adds the words of products' names, by which a search that finds nothing is corrected. A product
 * tells the words that were counted for it. They are null where nobody has counted them, and an
 * older process leaves them as they are, so that the counts stay right.
 */
export const migration25: Migration = {
  id: 25,
  name: "search-words",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};
