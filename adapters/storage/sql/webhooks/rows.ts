import type { Selectable } from "kysely";
import type { DeliveryRecord, EndpointRecord } from "../../../../src/rules/webhook-records.ts";
import type { Tables } from "../schema/tables.ts";

export type DeliveryRow = Selectable<Tables["deliveries"]>;

export function readDelivery(row: DeliveryRow): DeliveryRecord {
  const {
    lease_token: _a,
    failures: _b,
    lost_leases: _c,
    resume_state: _d,
    resume_due: _e,
    ...delivery
  } = row;
  return { ...delivery, livemode: row.livemode === 1 };
}

/** The columns of an endpoint that its owner decides about. */
export const endpointColumns = (endpoint: EndpointRecord) => ({
  state: endpoint.state,
  event_types: endpoint.event_types === null ? null : JSON.stringify(endpoint.event_types),
  record: JSON.stringify(endpoint),
});
