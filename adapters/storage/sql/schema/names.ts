import type { SchemableIdentifierNode } from "kysely";
import type { SqlDialect } from "./dialect.ts";
import { functionNames } from "./function-names.ts";
import { tableNames } from "./table-names.ts";

export interface Naming {
  /** The database schema that holds the tables (PostgreSQL). */
  readonly schema: string | null;
  /** Every table name begins with it, so that two instances can share a database. */
  readonly prefix: string;
}

const known = new Set([...tableNames, ...Object.values(functionNames)]);

/** Finds what a table or function that a statement names is called in the database. */
export type Names = (node: SchemableIdentifierNode) => SchemableIdentifierNode;

/** Adds prefix and schema to the names of our tables and functions. */
export const namesWith = ({ schema, prefix }: Naming): Names =>
  namesBy(schema, (table) => prefix + table);

/**
 * Gives our tables other names and a schema. Aliases and common table expressions
 * keep their names, because none of them has the name of a table.
 */
export function namesBy(schema: string | null, nameOf: (table: string) => string): Names {
  return (node) => {
    const { name } = node.identifier;
    if (node.schema || !known.has(name)) return node;

    return {
      kind: "SchemableIdentifierNode",
      identifier: { kind: "IdentifierNode", name: nameOf(name) },
      ...(schema === null ? {} : { schema: { kind: "IdentifierNode", name: schema } }),
    };
  };
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * Writes a statement of the schema with its real names and types. `{name}` is a
 * name that is created or a table. `create index` takes no schema before the
 * index's name; a statement that refers to an index needs the schema and writes
 * `{=name}`.
 */
export function nameStatement(statement: string, naming: Naming, dialect: SqlDialect): string {
  const named = statement.replace(/\{(=?)(\w+)\}/g, (_match, equals: string, name: string) => {
    const takesSchema = equals !== "" || known.has(name);
    const schema = naming.schema !== null && takesSchema ? `${quoted(naming.schema)}.` : "";
    return schema + quoted(naming.prefix + name);
  });
  return named.replaceAll("$id", dialect.idType);
}
