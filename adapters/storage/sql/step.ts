import { type Compilable, type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db } from "./engine.ts";

/** A storage step: yields compiled queries, gets their rows. Written once, run in one synchronous turn on SQLite and asynchronously elsewhere. It never catches. */
export type Step<T> = Generator<CompiledQuery, T, readonly unknown[]>;

export function* many<T>(query: Compilable<T> | CompiledQuery<T>): Step<readonly T[]> {
  return (yield "compile" in query ? query.compile() : query) as readonly T[];
}

export function* one<T>(query: Compilable<T> | CompiledQuery<T>): Step<T | undefined> {
  return (yield* many(query))[0];
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

/** Builds and compiles a hot query once; each run only fills in its values (building and compiling cost more than running it on SQLite). */
export function prepare<T>(build: (place: Place) => Compilable<T>): (values: Values) => CompiledQuery<T> {
  let compiled: CompiledQuery<T> | undefined;
  return (values) => {
    compiled ??= build((name) => sql.val(new Placeholder(name)) as unknown as RawBuilder<never>).compile();
    const parameters = compiled.parameters.map((value) => (value instanceof Placeholder ? values[value.name] : value));
    return { ...compiled, parameters };
  };
}

/** One prepared query for each shape, by its name. */
export function prepareEach<Shape, T>(
  nameOf: (shape: Shape) => string | number,
  build: (shape: Shape, place: Place) => Compilable<T>,
): (shape: Shape, values: Values) => CompiledQuery<T> {
  const known = new Map<string | number, (values: Values) => CompiledQuery<T>>();
  return (shape, values) => {
    const name = nameOf(shape);
    let query = known.get(name);
    if (!query) {
      query = prepare((place) => build(shape, place));
      known.set(name, query);
    }
    return query(values);
  };
}

/** The same for SQL that the builder cannot say. */
export const prepareRaw = <T>(db: Db, build: (place: Place) => RawBuilder<T>): ((values: Values) => CompiledQuery<T>) =>
  prepare((place) => ({ compile: () => build(place).compile(db) }));
