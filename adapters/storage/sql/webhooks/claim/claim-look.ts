import { type RawBuilder, sql } from "kysely";
import type { Param } from "../../engine/queries.ts";

/** The most endpoints that a claim looks at; the others come first in the next claim. */
export const maxEndpoints = 256;

/**
 * An endpoint with a pending delivery. Every value but the first two is null unless
 * it is due.
 */
export interface EndpointLook {
  readonly endpoint_id: string;
  readonly due_at: number;
  /** Null when nothing is due, and when the endpoint was deleted. */
  readonly endpoint_state: string | null;
  readonly record: string | null;
}

/** How a database goes from one endpoint with pending deliveries to the next. */
export interface EndpointJumps {
  /**
   * Makes a recursive table of the endpoints after `from`. It is empty unless
   * `condition` is true.
   */
  table(
    name: string,
    from: RawBuilder<unknown>,
    condition: RawBuilder<unknown>,
  ): RawBuilder<unknown>;
  /** The columns of that table that are kept. */
  readonly columns: RawBuilder<unknown>;
  /** Gives the first pending delivery of the endpoint `c`: `due_at`, and what else is known. */
  readonly first: RawBuilder<unknown>;
}

/**
 * Makes the tables of a `with recursive` that end in `looked`: the endpoints with
 * pending deliveries. The look starts at the first endpoint; when there are too
 * many for one claim, it starts at `from` and goes round.
 *
 * Each endpoint is found by an index jump from the one before: a queue, however
 * long, is never read through. `'pending'` stands in the text, because PostgreSQL
 * does not use a partial index for a parameter.
 */
export function lookedTables(jumps: EndpointJumps, param: Param): RawBuilder<unknown> {
  const from = param("from");
  const most = sql.lit(maxEndpoints);
  const { columns } = jumps;
  const isTooMany = sql`${from} <> '' and (select count(endpoint_id) from seen) = ${most}`;

  return sql`
    ${jumps.table("seen", sql`''`, sql`1 = 1`)},
    ${jumps.table("later", from, isTooMany)},
    next as materialized (
      select c.endpoint_id, ${jumps.first} from (
        select ${columns} from (
          select ${columns} from seen union select ${columns} from later
        ) as jumped
        where endpoint_id is not null
        order by endpoint_id <= ${from}, endpoint_id limit ${most}
      ) as c
    ), ${lookedTable(param)}`;
}

/** Makes the table `looked`: the endpoints of the table `next`, with their records when due. */
export const lookedTable = (param: Param): RawBuilder<unknown> => sql`
    looked as materialized (
      select next.*, e.state as endpoint_state, e.record from next
      left join ${sql.table("webhook_endpoints")} as e
        on e.id = next.endpoint_id and next.due_at <= ${param("now")}
    )`;
