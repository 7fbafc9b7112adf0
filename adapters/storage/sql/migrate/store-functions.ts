import { lookupFunction } from "../checkout/lookup-function.ts";
import { sessionFunction } from "../checkout/session-function.ts";
import { postgresQueries } from "../engine/postgres/postgres-queries.ts";
import type { StoreFunction } from "../engine/store-function.ts";
import { findFunction } from "../orders/lock/find-function.ts";
import { lockFunction } from "../orders/lock/lock-function.ts";
import { writeFunction } from "../orders/write/write-function.ts";
import type { SqlDialect } from "../schema/dialect.ts";
import { firstTable } from "../schema/distribution.ts";
import { type Naming, nameStatement, namesWith } from "../schema/names.ts";

export const storeFunctions: readonly StoreFunction[] = [
  lookupFunction,
  sessionFunction,
  findFunction,
  lockFunction,
  writeFunction,
];

/**
 * Gives the statements that create the functions and let the node of a store run them. A function
 * that is there already stays as it is: then nothing is asked of the nodes.
 */
export function functionStatements(naming: Naming, dialect: SqlDialect): readonly string[] {
  const db = postgresQueries(namesWith(naming));
  const named = (text: string): string => nameStatement(text, naming, dialect);
  const schema = naming.schema === null ? "current_schema()" : quoted(naming.schema);
  // The node does not know the search path of the session that calls the function.
  const path = naming.schema === null ? "set search_path from current" : "";

  return storeFunctions.flatMap(({ name, parameters, returns, body }) => {
    const types = parameters.map((parameter) => parameter.split(" ").at(-1)).join(", ");
    const signature = quoted(named(`{${name}}(${types})`));
    return [
      `do $do$ begin
        if not exists (select from pg_catalog.pg_proc
          where proname = ${quoted(naming.prefix + name)}
            and pronamespace = cast(${schema} as regnamespace))
        then
          create function ${named(`{${name}}`)}(${parameters.join(", ")}) returns ${returns}
            language plpgsql ${path} as $body$ ${named(body(db)).trim()} $body$;
        end if;
      end $do$`,
      `select create_distributed_function(${signature}, 'given_store',
          colocate_with => ${quoted(named(`{${firstTable}}`))}, force_delegation => true)
        where not exists (select from pg_catalog.pg_dist_object
          where objid = cast(${signature} as regprocedure)
            and distribution_argument_index is not null)`,
    ];
  });
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
