import { sql } from "kysely";
import { isNear, type KnownWord, type WordLookup } from "#core/rules/catalog/search/corrections.ts";
import type { SqlEngine } from "../../engine/engine.ts";
import { many, type Param, prepare } from "../../engine/queries.ts";

/** The most deletions of a search. A word of seven letters has 29, and its forms add some. */
const mostDeletions = 64;

/** The most words that are read by their deletions, and the most near ones that are compared. */
const mostShared = 2_000;
const mostNear = 64;

/**
 * Finds words near a term by the index of deletions (the symmetric-delete method). Every list is
 * filled up to one length, so that one prepared statement serves them all. With a list from JSON,
 * PostgreSQL without statistics would read all words of a store.
 */
export function prepareKnownWords(
  engine: SqlEngine,
): (store_id: string, lookup: WordLookup) => Promise<readonly KnownWord[]> {
  const { db } = engine;
  const shared = prepare((param) =>
    db
      .selectFrom("search_deletions")
      .select("word")
      .where("store_id", "=", param<string>("store_id"))
      .where(sql<boolean>`deletion in ${listOf(param, mostDeletions)}`)
      .limit(sql.lit(mostShared)),
  );
  const counted = prepare((param) =>
    db
      .selectFrom("search_words")
      .select(["word", "products"])
      .where("store_id", "=", param<string>("store_id"))
      .where(sql<boolean>`word in ${listOf(param, mostNear)}`),
  );

  return (store_id, lookup) =>
    engine.read(function* () {
      const { forms, deletions } = lookup;
      const rows =
        deletions.length === 0
          ? []
          : yield* many(shared({ store_id, ...filled(deletions, mostDeletions) }));
      const near = rows.map(({ word }) => word).filter((word) => isNear(lookup, word));
      const words = [...new Set([...forms, ...near])].slice(0, mostNear);
      if (words.length === 0) return [];
      const known = yield* many(counted({ store_id, ...filled(words, mostNear) }));
      return known.map(({ word, products }) => ({ word, products: Number(products) }));
    });
}

const names = (length: number): readonly string[] =>
  Array.from({ length }, (_, index) => `value_${index}`);

const listOf = (param: Param, length: number) =>
  sql`(${sql.join(names(length).map((name) => param<string>(name)))})`;

/** Fills a list up with its first value. */
const filled = (values: readonly string[], length: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names(length).map((name, index) => [name, values[index] ?? values[0]]));
