import {
  type Compilable,
  type CompiledQuery,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from "kysely";

/**
 * A unit of database work: a generator that yields compiled queries and receives
 * their rows. It is written once for all databases. SQLite runs it within one
 * synchronous turn, PostgreSQL asynchronously. It never catches a query's error. A
 * write that returns no rows gives one row, `{ changes }`, or no row when it
 * changed nothing.
 */
export type QueryGenerator<T> = Generator<CompiledQuery, T, readonly unknown[]>;

export function* many<T>(query: Compilable<T> | CompiledQuery<T>): QueryGenerator<readonly T[]> {
  return (yield "compile" in query ? query.compile() : query) as readonly T[];
}

export function* one<T>(query: Compilable<T> | CompiledQuery<T>): QueryGenerator<T | undefined> {
  return (yield* many(query))[0];
}

/**
 * Tells whether a write changed a row. On SQLite, a returned row costs as much as
 * the write.
 */
export function* changed(query: CompiledQuery): QueryGenerator<boolean> {
  return (yield query).length > 0;
}

class NamedParameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Marks the place of a named value that each run of a prepared query brings. */
export type Param = <T>(name: string) => RawBuilder<T>;
type Values = Readonly<Record<string, unknown>>;
type Prepared<T> = (values: Values) => CompiledQuery<T>;

/**
 * Builds and compiles a hot query once; each run only fills in its values. On
 * SQLite, building and compiling a query costs more than running it.
 */
export function prepare<T>(build: (param: Param) => Compilable<T>): Prepared<T> {
  let compiled: CompiledQuery<T> | undefined;
  let constants: readonly unknown[] = [];
  let names: readonly (string | null)[] = [];
  const param: Param = (name) => sql.val(new NamedParameter(name)) as unknown as RawBuilder<never>;

  return (values) => {
    if (!compiled) {
      compiled = build(param).compile();
      constants = compiled.parameters;
      names = constants.map((value) => (value instanceof NamedParameter ? value.name : null));
    }

    const parameters: unknown[] = [];
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index] ?? null;
      parameters.push(name === null ? constants[index] : values[name]);
    }

    // The fields are copied one by one: a spread costs V8 a microsecond for each of them.
    return { query: compiled.query, queryId: compiled.queryId, sql: compiled.sql, parameters };
  };
}

/** Prepares a query of raw SQL, for what the query builder cannot express. */
export const prepareRaw = <T>(
  db: QueryExecutorProvider,
  build: (param: Param) => RawBuilder<T>,
): ((values: Values) => CompiledQuery<T>) =>
  prepare((param) => ({ compile: () => build(param).compile(db) }));

/** Prepares one query for each shape; `nameOf` tells the shapes apart. */
export const prepareEach = <Shape, T>(
  nameOf: (shape: Shape) => string | number,
  build: (shape: Shape, param: Param) => Compilable<T>,
) => memoizeByShape(nameOf, (shape) => prepare((param) => build(shape, param)));

/** A query of text rows selects this: one text column. See `text-rows.ts`. */
export interface TextRow {
  text_row: string;
}

/** A query whose rows are read as the plain text of their one column. */
export interface TextRowQuery extends CompiledQuery<TextRow> {
  readonly textRows: true;
}

/** A `TextRowQuery` gives these texts. */
export type TextRows = readonly (string | null)[];

export function prepareTextRows(
  build: (param: Param) => Compilable<TextRow>,
): (values: Values) => TextRowQuery {
  const run = prepare(build);
  return (values) => {
    const { query, queryId, sql, parameters } = run(values);
    return { query, queryId, sql, parameters, textRows: true };
  };
}

export const prepareTextRowsEach = <Shape>(
  nameOf: (shape: Shape) => string | number,
  build: (shape: Shape, param: Param) => Compilable<TextRow>,
) => memoizeByShape(nameOf, (shape) => prepareTextRows((param) => build(shape, param)));

function memoizeByShape<Shape, Query>(
  nameOf: (shape: Shape) => string | number,
  make: (shape: Shape) => (values: Values) => Query,
) {
  const known = new Map<string | number, (values: Values) => Query>();
  return (shape: Shape, values: Values): Query => {
    const name = nameOf(shape);
    let query = known.get(name);
    if (!query) {
      query = make(shape);
      known.set(name, query);
    }
    return query(values);
  };
}
