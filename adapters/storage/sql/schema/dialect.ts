import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";

/** Names the columns of a table that is made of JSON, with their types. */
export type JsonColumns = Readonly<Record<string, "text" | "bigint">>;

/** Fields of a JSON object as a select reads them: what follows its tables, and each field. */
export interface JsonFields {
  readonly from: RawBuilder<unknown>;
  field<Value>(name: string): RawBuilder<Value>;
}

/** The two parts of a join: the rows and their condition. */
export interface LookedUp {
  readonly rows: RawBuilder<unknown>;
  readonly on: RawBuilder<boolean>;
}

/** The columns that each find one product of a store. */
export type ProductKey = "id" | "slug" | "sku" | "external_id";

export type NamedColumns = Readonly<Record<string, RawBuilder<unknown>>>;

/** Writes the names and values of a JSON object. */
export const jsonFieldsOf = (columns: readonly string[]): RawBuilder<unknown> =>
  sql.join(columns.map((name) => sql`${sql.lit(name)}, ${sql.ref(name)}`));

/** Writes columns behind a first one. */
export const namedColumns = (columns: NamedColumns): RawBuilder<unknown> =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`, ${value} as ${sql.id(name)}`),
    sql``,
  );

/** A search of the product index is asked for this. */
export interface IndexedSearch {
  readonly store_id: RawBuilder<string>;
  /** The words as `searchTerms` wrote them for the index. */
  readonly terms: readonly RawBuilder<string>[];
  /** The condition that a product `p` has all words. */
  readonly found: RawBuilder<boolean>;
  /** What is selected of a product `p` beside its id. */
  readonly columns: NamedColumns;
  /** When it is false, only active products are found. */
  readonly drafts: boolean;
  /** The most rows that the search finds. */
  readonly limit: number;
  /** Where this is true of the whole search, the index is not asked and nothing is found. */
  readonly unless?: RawBuilder<boolean> | undefined;
}

/** On `citus`, the rows of each store lie on one node of several. */
export type Database = "sqlite" | "postgres" | "citus";

/** Writes what the databases write differently. */
export interface SqlDialect {
  /** The language of the statements. */
  readonly name: "sqlite" | "postgres";
  /** The database. Each folder has one record of what the databases do by other algorithms. */
  readonly database: Database;
  /**
   * The column type of ids and names that are sorted by bytes, whatever the
   * database's collation.
   */
  readonly idType: string;

  /** Locks the rows that a later statement of the same work depends on. */
  forUpdate<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** Locks rows as `forUpdate` does, but lets those pass that lock by `forKeyShare`. */
  forNoKeyUpdate<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** Keeps rows from being locked by `forUpdate`, but not from other changes. */
  forKeyShare<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** Locks rows and passes over those that another worker holds. */
  skipLocked<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** Ends a raw select that locks rows and passes over those that another worker holds. */
  readonly skipLockedText: RawBuilder<unknown>;
  /** Gives the end of a raw select that locks the rows of one alias. */
  lockText(alias: string): RawBuilder<unknown>;

  /**
   * Reads a JSON list of objects as a table, so that one statement serves any
   * number of rows.
   */
  jsonTable(alias: string, json: RawBuilder<string>, columns: JsonColumns): RawBuilder<unknown>;
  /** Reads a JSON list of numbers as a table of one column, `value`. */
  jsonValues(json: RawBuilder<unknown>): RawBuilder<unknown>;
  /**
   * Reads fields of a JSON object that a row before holds. PostgreSQL parses it once, as `from`
   * says, where operators would parse it for each field.
   */
  jsonFields(alias: string, json: RawBuilder<string>, columns: JsonColumns): JsonFields;
  /** Aggregates these columns of the rows to the text of a JSON list of objects. */
  jsonList(columns: readonly string[]): RawBuilder<string>;
  /** Aggregates the column `value` to one text with commas between. */
  readonly joinedValues: RawBuilder<string>;

  /**
   * Writes a join with the product `p` that has this key, by default this id. PostgreSQL looks the
   * product up for each row. Old statistics make every index of the store's products look as good
   * as that of the key, and another one is read from its beginning to its end for each row. The
   * order by the key prevents this, because only the index of the key gives it without a sort.
   */
  lookUp(store_id: RawBuilder<string>, value: RawBuilder<string>, key?: ProductKey): LookedUp;

  /**
   * Names a column in a way that no index of it is used. SQLite does not know that a
   * reference or an order finds a few rows, and a store finds all of them: it would read
   * all of them by an index that covers one more column of the condition, or that gives
   * the rows in the wanted order.
   */
  withoutIndex(column: string): RawBuilder<unknown>;

  /** Tells whether `part` is a substring of `text`; no character is a wildcard. */
  contains(text: Expression<string>, part: Expression<string>): RawBuilder<boolean>;
  /** Gives the bytes of a text without reading it, where the database can. */
  bytes(text: RawBuilder<string>): RawBuilder<number>;
  /**
   * Writes folded words as terms of the search index, at most two. It gives none when the
   * index cannot find them: it knows nothing that is shorter than three letters.
   */
  searchTerms(words: readonly string[]): readonly string[];
  /**
   * Writes the limit of a subquery that need not be read where `unless` is true. PostgreSQL plans
   * by the number, and does not begin the subquery when a condition around it says so.
   */
  limitUnless(limit: number, unless: RawBuilder<boolean> | undefined): RawBuilder<number>;
  /** True when a product that the index gives for a word's term has the word for sure. */
  readonly termsAreExact: boolean;
  /**
   * Selects `id` and the columns of the products that the index finds. Rows without an id are
   * no products, but they count towards the limit.
   */
  searchHits(search: IndexedSearch): RawBuilder<unknown>;

  /** Gives the database's clock in epoch milliseconds. */
  readonly nowMs: string;
  /**
   * Statements that fail when the disk is full, and leave nothing behind. It is empty where
   * only the pages of a table take room.
   */
  readonly needDisk: readonly string[];
  /**
   * Gives one row when a schema holds the table. The parameters are the schema and
   * the name; a null schema means the one that tables are created in by default,
   * and no other.
   */
  readonly tableExists: string;
  /**
   * Gives those names of a JSON list that a schema has taken already. The schema
   * comes first.
   */
  readonly takenNames: string;
}
