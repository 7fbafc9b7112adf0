import { fail } from "#core/contract/errors.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import { firstTable } from "../../schema/distribution.ts";
import { type Naming, nameStatement } from "../../schema/names.ts";
import { type PgQueryable, types } from "./postgres-client.ts";

interface PlacementOptions {
  readonly dialect: SqlDialect;
  readonly naming: Naming;
}

/**
 * Checks that the option `distribute` fits the tables: it refuses tables that Citus
 * distributes when the option is left out, and the reverse. Each kind has
 * statements that the other cannot run. It checks at each call until the tables fit
 * the option, so the error ends only after `migrate()` or with a corrected option.
 */
export function placementCheck({ dialect, naming }: PlacementOptions) {
  let isRight = false;

  return async (client: PgQueryable): Promise<void> => {
    if (isRight) return;

    const table = nameStatement(`{${firstTable}}`, naming, dialect);
    const placement = await findPlacement(client, table);
    if (placement === null) return; // Queries report missing tables themselves.
    if (placement !== dialect.database) refuse(placement);
    isRight = true;
  };
}

type Placement = "postgres" | "citus";

/** Tells whether Citus distributes the table, or gives null when there is no such table. */
async function findPlacement(client: PgQueryable, table: string): Promise<Placement | null> {
  const [found] = await rowsOf<{ readonly name: string | null; readonly citus: string | null }>(
    client,
    `select cast(to_regclass($1) as text) as name,
      cast(to_regclass('pg_catalog.pg_dist_partition') as text) as citus`,
    table,
  );
  if (!found?.name) return null;
  if (!found.citus) return "postgres";

  const placed = await rowsOf(
    client,
    "select 1 as placed from pg_dist_partition where logicalrelid = to_regclass($1)",
    table,
  );
  return placed.length > 0 ? "citus" : "postgres";
}

async function rowsOf<Row>(
  client: PgQueryable,
  text: string,
  table: string,
): Promise<readonly Row[]> {
  const { rows } = await client.query({ text, values: [table], types });
  return rows as readonly Row[];
}

const refuse = (placement: Placement): never =>
  fail("invalid_option", {
    param: "distribute",
    message:
      placement === "citus"
        ? 'Citus distributes the tables of this database. Set the option distribute to "citus".'
        : "The tables of this database are not distributed. Call migrate() with the option" +
          " distribute, which distributes them, or leave the option out.",
  });
