import { type RawBuilder, sql } from "kysely";
import { rankStep, ranks } from "#core/rules/catalog/search/product-rank.ts";
import type { ProductSearch } from "#core/rules/catalog/search/product-search.ts";
import { highest } from "../../engine/columns.ts";
import type { Param } from "../../engine/queries.ts";
import type { SqlDialect } from "../../schema/dialect.ts";

/** The name of a value that a search brings. */
export type SearchParam = (
  name: "phrase" | "phrase_end" | "word" | "word_end" | "words",
) => RawBuilder<string>;

/** Gives the values of a search's parameters. */
export const searchValues = ({ phrase, words }: ProductSearch) => ({
  phrase,
  phrase_end: `${phrase}${highest}`,
  word: words[0] ?? phrase,
  word_end: `${words[0] ?? phrase}${highest}`,
  words: JSON.stringify(words),
});

/** Makes the condition that products of a table have all words, each in the name or the slug. */
export function hasWords(
  dialect: SqlDialect,
  table: string,
  param: SearchParam,
  several: boolean,
): RawBuilder<boolean> {
  const has = (word: RawBuilder<string>) =>
    sql`(${dialect.contains(sql.ref(`${table}.name_folded`), word)}
      or ${dialect.contains(sql.ref(`${table}.slug`), word)})`;
  if (!several) return sql<boolean>`${has(param("word"))}`;

  return sql<boolean>`not exists (
    select 1 from ${dialect.jsonValues(param("words"))} where not ${has(sql.ref("value"))})`;
}

/** Gives the number that a hit is sorted by: its rank, then its position, as `rankOf` ranks. */
export function placeOfRank(
  dialect: SqlDialect,
  table: string,
  param: SearchParam,
  several: boolean,
): RawBuilder<number> {
  const name = sql<string>`${sql.ref(`${table}.name_folded`)}`;
  const phrase = param("phrase");
  const lit = (rank: number) => sql.lit(rank);
  const words = several
    ? sql`when not exists (
        select 1 from ${dialect.jsonValues(param("words"))}
        where not ${dialect.contains(name, sql.ref("value"))}) then ${lit(ranks.words)}`
    : sql``;

  return sql<number>`(case
    when ${name} = ${phrase} then ${lit(ranks.equal)}
    when substr(${name}, 1, length(${phrase})) = ${phrase} then ${lit(ranks.begins)}
    when ${dialect.contains(sql`' ' || ${name}`, sql`' ' || ${phrase}`)}
      then ${lit(ranks.word_begins)}
    when ${dialect.contains(name, phrase)} then ${lit(ranks.inside)}
    ${words} else ${lit(ranks.rest)} end
    * cast(${lit(rankStep)} as bigint) + ${sql.ref(`${table}.position`)})`;
}

/** How a search finds its hits: by terms of the index or without, in words and groups. */
interface CountedShape {
  readonly by: "term" | "two terms" | "scan";
  readonly search: "one" | "several" | null;
  readonly groups: boolean;
}

/** Makes the condition that a product `p`, which the index gave for the terms, is a hit. */
export function foundByTerms(
  dialect: SqlDialect,
  { by, search, groups }: CountedShape,
  param: SearchParam,
): RawBuilder<boolean> {
  const isSure = dialect.termsAreExact && by === "term" && search === "one";
  const words = isSure ? sql<boolean>`true` : hasWords(dialect, "p", param, search === "several");
  return groups ? sql<boolean>`${words} and p.group_hidden is null` : words;
}

/**
 * Tells whether the words that are counted for corrections can say that a search has too many
 * hits. They are counted exactly, in the names of active products.
 */
export const isCounted = ({ by, search, groups }: CountedShape): boolean =>
  search === "one" && !groups && by !== "scan";

/** Selects a row where a word that begins with the searched one is in more products than these. */
export const commonWord = (most: number, param: Param): RawBuilder<unknown> => sql`
    common as materialized (
      select 1 as one from ${sql.table("search_words")}
      where store_id = ${param("store_id")} and products > ${sql.lit(most)}
        and word >= ${param("word")} and word < ${param("word_end")}
      limit 1
    ),`;

/** True where `commonWord` has selected a row. */
export const isCommon = sql<boolean>`exists (select 1 from common)`;

/** Counts one hit more than `most` for a common word, whose hits nobody looks for. */
export const countUnlessCommon = (most: number, counted: RawBuilder<unknown>) =>
  sql`case when ${isCommon} then ${sql.lit(most + 1)} else ${counted} end`;
