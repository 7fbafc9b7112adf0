import type { DefaultQueryCompiler, QueryCompiler, SchemableIdentifierNode } from "kysely";
import type { Names } from "../schema/names.ts";

/** Makes a compiler that names tables as it writes: a plugin would copy each statement first. */
export function namingCompiler(
  Compiler: new () => DefaultQueryCompiler,
  names: Names,
): QueryCompiler {
  class NamingCompiler extends Compiler {
    protected override visitSchemableIdentifier(node: SchemableIdentifierNode): void {
      super.visitSchemableIdentifier(names(node));
    }
  }
  return new NamingCompiler();
}
