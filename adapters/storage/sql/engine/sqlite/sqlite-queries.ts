import {
  DummyDriver,
  Kysely,
  type SchemableIdentifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Names } from "../../schema/names.ts";
import type { Db } from "../engine.ts";

/** Builds and compiles queries of SQLite, whose tables get these names. */
export const sqliteQueries = (names: Names): Db =>
  new Kysely({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (instance) => new SqliteIntrospector(instance),
      createQueryCompiler: () => new NamingCompiler(names),
    },
  });

/** Names tables while it writes the text: a plugin would copy each statement first. */
class NamingCompiler extends SqliteQueryCompiler {
  readonly #names: Names;

  constructor(names: Names) {
    super();
    this.#names = names;
  }

  protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
    super.visitSchemableIdentifier(this.#names(node));
  }
}
