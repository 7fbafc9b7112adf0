import { sql } from "kysely";
import { deletionsOfWord, wordsOfName } from "#core/rules/catalog/search/corrections.ts";
import { lockCatalog } from "../../access/lock-store.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, one, type QueryGenerator } from "../../engine/queries.ts";
import { chunks } from "./chunks.ts";

/** Gives what stands in the column `words` of a product. */
export const wordsColumn = (name_folded: string, active: boolean): string =>
  active ? wordsOfName(name_folded).join(" ") : "";

const split = (words: string | null): readonly string[] => words?.split(" ").filter(Boolean) ?? [];

/** The words that are counted for a product. Empty or null means that none is. */
interface Counted {
  readonly words: string | null;
}

/**
 * Counts the words of products that are about to be written, in place of those that were counted
 * for them. Call it under the lock of the store's row.
 */
export function* recountWords(
  db: Db,
  store_id: string,
  before: readonly Counted[],
  products: readonly Counted[],
): QueryGenerator<void> {
  const change = new Map<string, number>();
  const add = (words: string | null, amount: number): void => {
    for (const word of split(words)) change.set(word, (change.get(word) ?? 0) + amount);
  };
  for (const { words } of before) add(words, -1);
  for (const { words } of products) add(words, 1);

  const changed = [...change].filter(([, amount]) => amount !== 0).sort(byWord);
  for (const chunk of chunks(changed)) yield* changeCounts(db, store_id, chunk);
}

const byWord = ([one]: readonly [string, number], [other]: readonly [string, number]): number =>
  one < other ? -1 : 1;

/**
 * Changes the counts of words. A word that no product has any more keeps its rows, because most
 * such words come back.
 */
function* changeCounts(
  db: Db,
  store_id: string,
  changed: readonly (readonly [word: string, amount: number])[],
): QueryGenerator<void> {
  const words = changed.map(([word]) => word);
  const stored = yield* many(
    db
      .selectFrom("search_words")
      .select("word")
      .where("store_id", "=", store_id)
      .where("word", "in", words),
  );
  const known = new Set(stored.map(({ word }) => word));

  const deletions = words
    .filter((word) => !known.has(word))
    .flatMap((word) => deletionsOfWord(word).map((deletion) => ({ store_id, deletion, word })));
  for (const chunk of chunks(deletions))
    yield* many(
      db
        .insertInto("search_deletions")
        .values(chunk)
        .onConflict((conflict) => conflict.doNothing()),
    );

  const rows = changed.map(([word, products]) => ({ store_id, word, products }));
  yield* many(
    db
      .insertInto("search_words")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["store_id", "word"]).doUpdateSet((eb) => ({
          products: eb("search_words.products", "+", eb.ref("excluded.products")),
        })),
      ),
  );
}

/** The most products whose words are counted in one transaction. */
const mostCounted = 200;

/**
 * Counts the words of at most `limit` products that an older version wrote, of one store, and gives
 * how many there were.
 */
export function* fillProductWords(
  engine: SqlEngine,
  limit: number,
  store_id?: string,
): QueryGenerator<number> {
  const { db } = engine;
  const uncounted = db.selectFrom("products").where("words", "is", null);
  const store = store_id ?? (yield* one(uncounted.select("store_id").limit(1)))?.store_id;
  if (store === undefined) return 0;

  yield* many(lockCatalog(engine, store));
  const rows = yield* many(
    uncounted
      .select(["id", "name_folded", "active"])
      .where("store_id", "=", store)
      .orderBy("id")
      .limit(sql.lit(Math.min(limit, mostCounted))),
  );
  const products = rows.map(({ id, name_folded, active }) => ({
    id,
    words: wordsColumn(name_folded, active === 1),
  }));
  if (products.length === 0) return 0;

  yield* recountWords(db, store, [], products);
  for (const { id, words } of products)
    yield* many(
      db.updateTable("products").set({ words }).where("store_id", "=", store).where("id", "=", id),
    );
  return products.length;
}
