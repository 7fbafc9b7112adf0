import { type KyselyPlugin, OperationNodeTransformer, type SchemableIdentifierNode } from "kysely";
import type { SqlDialect } from "./dialect.ts";
import { tableNames } from "./tables.ts";

export interface Naming {
  /** Database schema that holds the tables (PostgreSQL). */
  readonly schema: string | null;
  /** Put before every name, so that two instances can share a database. */
  readonly prefix: string;
}

const known = new Set(tableNames);

/** Puts prefix and schema to the names of our tables; aliases and common table expressions have names of their own. */
export function namingPlugin(naming: Naming): KyselyPlugin {
  class Namer extends OperationNodeTransformer {
    protected override transformSchemableIdentifier(
      node: SchemableIdentifierNode,
    ): SchemableIdentifierNode {
      const { name } = node.identifier;
      if (node.schema || !known.has(name)) return super.transformSchemableIdentifier(node);
      return {
        kind: "SchemableIdentifierNode",
        identifier: { kind: "IdentifierNode", name: naming.prefix + name },
        ...(naming.schema === null
          ? {}
          : { schema: { kind: "IdentifierNode", name: naming.schema } }),
      };
    }
  }
  const namer = new Namer();
  return {
    transformQuery: ({ node }) => namer.transformNode(node),
    transformResult: async ({ result }) => result,
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A statement of the schema with its real names and types. An index is made in its table's schema, unnamed; to find it again, `{=name}`. */
export function nameStatement(statement: string, naming: Naming, dialect: SqlDialect): string {
  return statement
    .replace(
      /\{(=?)(\w+)\}/g,
      (_all, found: string, name: string) =>
        (naming.schema !== null && (found || known.has(name)) ? `${quoted(naming.schema)}.` : "") +
        quoted(naming.prefix + name),
    )
    .replaceAll("$id", dialect.idType);
}
