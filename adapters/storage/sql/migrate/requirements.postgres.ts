import { fail } from "#core/contract/errors.ts";
import type { QueryGenerator } from "../engine/queries.ts";
import type { Naming } from "../schema/names.ts";
import { migrationTable, tableNames } from "../schema/table-names.ts";
import { run } from "./migrate.ts";

interface DatabaseSettings {
  readonly encoding: string;
  readonly schema: string | null;
  /** The schema of the tables that are there, where the search path begins with `"$user"`. */
  readonly home: string | null;
}

const refuse = (message: string): never => fail("invalid_option", { param: "storage", message });

export function* requireSuitableDatabase({ schema, prefix }: Naming): QueryGenerator<void> {
  const [database] = yield* run<DatabaseSettings>(
    `select current_setting('server_encoding') as encoding,
      coalesce($1, current_schema()) as schema,
      (select n.nspname from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        where c.oid = to_regclass($2) and current_setting('search_path') like '"$user"%') as home`,
    [schema, `${prefix}rate_buckets`],
  );

  if (database?.encoding !== "UTF8")
    refuse(
      `The database's encoding is ${database?.encoding}, which cannot store every text. Use one` +
        " made by: create database … encoding 'UTF8' template template0.",
    );
  if (database?.schema === null)
    refuse(
      "The connection's search_path names no schema that exists. Set the option schema, or" +
        " search_path.",
    );
  // Nobody has named the schema of `"$user"`: PostgreSQL's own search path begins with it as soon
  // as it exists, and tables in it would hide the shop.
  if (schema === null && database?.home && database.home !== database.schema)
    refuse(
      `The tables are in the schema ${database.home}, and the connection's search_path begins` +
        ` with ${database.schema}: name one of them by the option schema.`,
    );
}

interface ForeignTable {
  readonly name: string;
  readonly owner: string;
  readonly role: string;
}

/**
 * Refuses a role that may not alter the tables. This comes before the first new table is made: it
 * would belong to this role, and the owner of the others could then not finish the migration.
 */
export function* requireOwnership({ schema, prefix }: Naming): QueryGenerator<void> {
  const [foreign] = yield* run<ForeignTable>(
    `select c.relname as name, pg_get_userbyid(c.relowner) as owner, current_user as role
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = coalesce($1, current_schema())
        and c.relname in (select json_array_elements_text($2::json))
        and not pg_has_role(c.relowner, 'USAGE')
      order by 1 limit 1`,
    [schema, JSON.stringify(tableNames.map((name) => prefix + name))],
  );
  if (foreign)
    refuse(
      `The role ${foreign.role} cannot alter the table ${foreign.name}, which belongs to` +
        ` ${foreign.owner}: call migrate() as ${foreign.owner}.`,
    );
}

interface LackingRight {
  readonly name: string;
  readonly lacking: string;
  readonly role: string;
}

/** Refuses a role that may not read and write the tables: it could serve no request. */
export function* requireRights({ schema, prefix }: Naming): QueryGenerator<void> {
  const [found] = yield* run<LackingRight>(
    `select c.relname as name, needed.name as lacking, current_user as role
      from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
        cross join unnest(array['select', 'insert', 'update', 'delete'])
          with ordinality as needed(name, place)
      where n.nspname = coalesce($1, current_schema())
        and c.relname in (select json_array_elements_text($2::json))
        and (needed.name = 'select' or c.relname <> $3)
        and not has_table_privilege(c.oid, needed.name)
      order by needed.place, 1 limit 1`,
    [schema, JSON.stringify(tableNames.map((name) => prefix + name)), prefix + migrationTable],
  );
  if (found)
    refuse(
      `The role ${found.role} lacks the right to ${found.lacking} on the table ${found.name}:` +
        ` grant select, insert, update, delete on all tables of the schema to ${found.role}.`,
    );
}
