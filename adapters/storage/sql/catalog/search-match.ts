import { type RawBuilder, sql } from "kysely";
import { rankStep, ranks } from "#core/rules/catalog/search/product-rank.ts";
import type { ProductSearch } from "#core/rules/catalog/search/product-search.ts";
import type { SqlDialect } from "../schema/dialect.ts";

/** The name of a value that a search brings. */
export type SearchParam = (name: "phrase" | "phrase_end" | "word" | "words") => RawBuilder<string>;

/** The highest character. A text that begins with a phrase sorts before the phrase and this. */
export const highest = "\u{10FFFF}";

/** Gives the values of a search's parameters. */
export const searchValues = ({ phrase, words }: ProductSearch) => ({
  phrase,
  phrase_end: `${phrase}${highest}`,
  word: words[0] ?? phrase,
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
