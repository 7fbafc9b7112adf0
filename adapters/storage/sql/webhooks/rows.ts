import type { Selectable } from "kysely";
import { recordOf, type StoredDelivery } from "#core/rules/webhooks/deliveries.ts";
import type { DeliveryRecord, EndpointRecord } from "#core/rules/webhooks/webhook-records.ts";
import type { Tables } from "../schema/tables.ts";

export type DeliveryRow = Selectable<Tables["deliveries"]>;

export const storedDelivery = (row: DeliveryRow): StoredDelivery => ({
  ...row,
  livemode: row.livemode === 1,
});

export const readDelivery = (row: DeliveryRow): DeliveryRecord => recordOf(storedDelivery(row));

/** Gives the columns that the owner of an endpoint decides about. */
export const endpointColumns = (endpoint: EndpointRecord) => ({
  state: endpoint.state,
  event_types: endpoint.event_types === null ? null : JSON.stringify(endpoint.event_types),
  record: JSON.stringify(endpoint),
});
