import { type CompiledQuery, sql } from "kysely";
import { ofPartitionParams } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { prepare, prepareRaw } from "../engine/queries.ts";
import { functionNames } from "../schema/function-names.ts";

/** Finds the session, and its order when it has one. */
export type FindCheckout = (
  values: Readonly<Record<"store_id" | "id", string>> & { readonly livemode: 0 | 1 },
) => CompiledQuery<CheckoutRow>;

interface CheckoutRow {
  readonly kind: "session" | "order";
  readonly record: string;
}

/** The node of the store reads both, by one call of `findFunction`. */
export const findCheckoutOnCitus = ({ db }: SqlEngine): FindCheckout =>
  prepareRaw<CheckoutRow>(
    db,
    (param) => sql`
      select * from ${sql.table(functionNames.findCheckout)}(${param("store_id")},
        ${param("livemode")}, ${param("id")})`,
  );

/**
 * PostgreSQL needs more time to plan a join with the attempts than to run these look-ups
 * and those of the attempts.
 */
export const findCheckoutByUnion = ({ db }: SqlEngine): FindCheckout =>
  prepare((param) =>
    db
      .selectFrom("checkout_sessions")
      .select(["record", sql.lit("session").as("kind")])
      .where(ofPartitionParams(param))
      .where("id", "=", param<string>("id"))
      .unionAll(
        db
          .selectFrom("orders")
          .select(["record", sql.lit("order").as("kind")])
          .where(ofPartitionParams(param))
          .where("session_id", "=", param<string>("id")),
      ),
  );
