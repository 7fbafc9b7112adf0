import { type Compilable, type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db } from "./engine.ts";

/**
 * A storage step: yields compiled queries, gets their rows. Written once, run in one synchronous turn on SQLite and asynchronously elsewhere. It
 * never catches. A write that returns none gives one row, `{ changes }`, unless it changed nothing.
 */
export type Step<T> = Generator<CompiledQuery, T, readonly unknown[]>;

export function* many<T>(query: Compilable<T> | CompiledQuery<T>): Step<readonly T[]> {
  return (yield "compile" in query ? query.compile() : query) as readonly T[];
}

export function* one<T>(query: Compilable<T> | CompiledQuery<T>): Step<T | undefined> {
  return (yield* many(query))[0];
}

/** Did a write change anything? To have a row returned for it costs SQLite as much as the write. */
export function* changed(query: CompiledQuery): Step<boolean> {
  return (yield query).length > 0;
}

class Placeholder {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}
type Values = Readonly<Record<string, unknown>>;
/** Stands for a value that each run brings. */
export type Place = <T>(name: string) => RawBuilder<T>;

type Prepared<T> = (values: Values) => CompiledQuery<T>;

/** Builds and compiles a hot query once; each run only fills in its values (building and compiling cost more than running it on SQLite). */
export function prepare<T>(build: (place: Place) => Compilable<T>): Prepared<T> {
  let compiled: CompiledQuery<T> | undefined;
  let constants: readonly unknown[] = [];
  let names: readonly (string | null)[] = [];
  return (values) => {
    if (!compiled) {
      compiled = build(
        (name) => sql.val(new Placeholder(name)) as unknown as RawBuilder<never>,
      ).compile();
      constants = compiled.parameters;
      names = constants.map((value) => (value instanceof Placeholder ? value.name : null));
    }
    const parameters: unknown[] = [];
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] ?? null;
      parameters.push(name === null ? constants[at] : values[name]);
    }
    // Field by field: a spread in front costs V8 a microsecond for each of them.
    return { query: compiled.query, queryId: compiled.queryId, sql: compiled.sql, parameters };
  };
}

/** A query of one text column named `line`: rows of many columns cost more to take apart than to read. */
export interface LineQuery extends CompiledQuery<{ line: string }> {
  readonly lines: true;
}

/** A prepared query whose rows come as the text of their one column. */
export function prepareLines(
  build: (place: Place) => Compilable<{ line: string }>,
): (values: Values) => LineQuery {
  const run = prepare(build);
  return (values) => {
    const { query, queryId, sql, parameters } = run(values);
    return { query, queryId, sql, parameters, lines: true };
  };
}

/** One prepared query for each shape, by its name. */
export const prepareEach = <Shape, T>(
  nameOf: (shape: Shape) => string | number,
  build: (shape: Shape, place: Place) => Compilable<T>,
) => each(nameOf, (shape) => prepare((place) => build(shape, place)));

/** The same of lines. */
export const prepareLinesEach = <Shape>(
  nameOf: (shape: Shape) => string | number,
  build: (shape: Shape, place: Place) => Compilable<{ line: string }>,
) => each(nameOf, (shape) => prepareLines((place) => build(shape, place)));

function each<Shape, Q>(
  nameOf: (shape: Shape) => string | number,
  make: (shape: Shape) => (values: Values) => Q,
) {
  const known = new Map<string | number, (values: Values) => Q>();
  return (shape: Shape, values: Values): Q => {
    const name = nameOf(shape);
    let query = known.get(name);
    if (!query) {
      query = make(shape);
      known.set(name, query);
    }
    return query(values);
  };
}

/** The same for SQL that the builder cannot say. */
export const prepareRaw = <T>(
  db: Db,
  build: (place: Place) => RawBuilder<T>,
): ((values: Values) => CompiledQuery<T>) =>
  prepare((place) => ({ compile: () => build(place).compile(db) }));
