import { type RawBuilder, type Selectable, sql } from "kysely";
import { recordOf, type StoredDelivery } from "#core/rules/webhooks/deliveries.ts";
import { wantedTexts } from "#core/rules/webhooks/told-agent.ts";
import type {
  ClaimedDelivery,
  DeliveryRecord,
  EndpointRecord,
} from "#core/rules/webhooks/webhook-records.ts";
import type { Tables } from "../schema/tables.ts";

export type DeliveryRow = Selectable<Tables["deliveries"]>;

export const storedDelivery = (row: DeliveryRow): StoredDelivery => ({
  ...row,
  livemode: row.livemode === 1,
});

export const readDelivery = (row: DeliveryRow): DeliveryRecord => recordOf(storedDelivery(row));

export type Destination = Pick<EndpointRecord, "url" | "secrets" | "agent">;

/** The columns of a leased delivery, without the two that a look at an endpoint has too. */
const leasedColumns = [
  "event_id",
  "store_id",
  "livemode",
  "event_type",
  "state",
  "attempts",
  "created_at",
  "updated_at",
  "failures",
  "lost_leases",
] as const satisfies readonly (keyof DeliveryRow)[];

export type LeasedRow = Pick<
  DeliveryRow,
  "endpoint_id" | "due_at" | (typeof leasedColumns)[number]
> & { readonly body: string | null };

/** Lists the columns of a lease, of the table `l`. */
export const leasedText: RawBuilder<unknown> = sql.raw(
  leasedColumns.map((name) => `l.${name}`).join(", "),
);

/** Lists the columns of a lease as nulls, for a row that is a look. */
export const notLeasedText: RawBuilder<unknown> = sql.raw(
  leasedColumns.map((name) => `null as ${name}`).join(", "),
);

/** Lists the columns of a lease as nulls but for the event, for the last row `p` of a queue. */
export const lastLeasedText: RawBuilder<unknown> = sql.raw(
  leasedColumns.map((name) => (name === "event_id" ? "p.event_id" : "null")).join(", "),
);

/**
 * Copies field by field, because V8 adds the fields after a spread one by one, at a
 * microsecond each.
 */
export const claimedOf = (
  row: LeasedRow,
  { url, secrets, agent }: Destination,
  body: string,
): ClaimedDelivery => ({
  store_id: row.store_id,
  livemode: row.livemode === 1,
  endpoint_id: row.endpoint_id,
  event_id: row.event_id,
  event_type: row.event_type,
  state: row.state,
  attempts: row.attempts,
  due_at: row.due_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
  failures: row.failures,
  lost_leases: row.lost_leases,
  url,
  secrets,
  agent,
  body,
});

/** Gives the columns that the owner of an endpoint decides about. */
export function endpointColumns(endpoint: EndpointRecord) {
  const wanted = wantedTexts(endpoint);
  return {
    state: endpoint.state,
    event_types: wanted && JSON.stringify(wanted),
    record: JSON.stringify(endpoint),
  };
}
