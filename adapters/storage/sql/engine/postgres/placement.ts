import { fail } from "#core/contract/errors.ts";
import type { SqlDialect } from "../../schema/dialect.ts";
import { firstTable, gateClosed, gateOf } from "../../schema/distribution.ts";
import { type Naming, nameStatement } from "../../schema/names.ts";
import { isLockRefused, isRefusedByCitus } from "../failures.ts";
import { type PgQueryable, types } from "./postgres-client.ts";

interface PlacementOptions {
  readonly dialect: SqlDialect;
  readonly naming: Naming;
}

export interface PlacementCheck {
  /** Refuses to go on while the tables do not fit the option. */
  check(client: PgQueryable): Promise<void>;
  /**
   * Looks again after an error that only the other kind of tables gives: they may have been
   * distributed since the last look.
   */
  checkAfter(error: unknown, client: PgQueryable): Promise<void>;
}

/** Lets any tables pass. */
export const unchecked: PlacementCheck = { check: async () => {}, checkAfter: async () => {} };

/**
 * Checks that the option `distribute` fits the tables: it refuses tables that Citus
 * distributes when the option is left out, and the reverse. Each kind has
 * statements that the other cannot run. It checks at each call until the tables fit
 * the option, and then again after an error that says that they no longer do.
 */
export function placementCheck({ dialect, naming }: PlacementOptions): PlacementCheck {
  let isRight = false;
  /** Every call asks first while the tables are being switched: it would only be in the way. */
  let isClosed = false;

  const check = async (client: PgQueryable): Promise<void> => {
    if (isRight) return;

    if (isClosed && !(await mayWrite(client, naming))) refuseForNow();
    isClosed = false;
    const placement = await findPlacement(client, { dialect, naming });
    if (placement === null) return; // Queries report missing tables themselves.
    if (placement !== dialect.database) refuse(placement);
    isRight = true;
  };

  return {
    check,
    async checkAfter(error, client) {
      isClosed = isGateClosed(error);
      if (!isClosed && (dialect.database === "citus" || !isRefusedByCitus(error))) return;
      isRight = false;
      await check(client);
    },
  };
}

export type Placement = "postgres" | "citus";

/** Tells whether Citus distributes the table, or gives null when there is no such table. */
export async function findPlacement(
  client: PgQueryable,
  { dialect, naming }: PlacementOptions,
): Promise<Placement | null> {
  const table = nameStatement(`{${firstTable}}`, naming, dialect);
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

async function mayWrite(client: PgQueryable, { schema, prefix }: Naming): Promise<boolean> {
  const gate = gateOf("coalesce($1, current_schema())", prefix);
  const [row] = await rowsOf<{ readonly open: string }>(
    client,
    `select pg_try_advisory_xact_lock_shared(${gate})::text as open`,
    schema,
  );
  return row?.open === "true";
}

const isGateClosed = (error: unknown): boolean =>
  isLockRefused(error) && error instanceof Error && error.message === gateClosed;

const refuseForNow = (): never =>
  fail("service_unavailable", { retry_after: 2, cause: new Error(`Wait: ${gateClosed}.`) });

async function rowsOf<Row>(
  client: PgQueryable,
  text: string,
  table: string | null,
): Promise<readonly Row[]> {
  const { rows } = await client.query({ text, values: [table], types });
  return rows as readonly Row[];
}

/** For everybody else the service is away for a moment: the reason is the operator's to read. */
const refuse = (placement: Placement): never =>
  fail("service_unavailable", {
    retry_after: 5,
    cause: new Error(
      placement === "citus"
        ? 'Citus distributes the tables of this database. Set the option distribute to "citus".'
        : "The tables of this database are not distributed. Call migrate() with the option" +
            " distribute, which distributes them, or leave the option out.",
    ),
  });
