import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SchemableIdentifierNode,
} from "kysely";
import type { Names } from "../../schema/names.ts";
import type { Db } from "../engine.ts";

/** Builds and compiles queries of PostgreSQL, whose tables get these names. */
export const postgresQueries = (names: Names): Db =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new PostgresIntrospector(instance),
      createQueryCompiler: () => new NamingCompiler(names),
    },
  });

/** Names tables while it writes the text: a plugin would copy each statement first. */
class NamingCompiler extends PostgresQueryCompiler {
  readonly #names: Names;

  constructor(names: Names) {
    super();
    this.#names = names;
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    super.visitSchemableIdentifier(this.#names(node));
  }
}
