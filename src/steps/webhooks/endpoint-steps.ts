import { isStale } from "../../rules/catalog/stale-records.ts";
import type { Partition } from "../../rules/records.ts";
import { type Rotation, rotated } from "../../rules/webhooks/rotate.ts";
import type { EndpointRecord } from "../../rules/webhooks/webhook-records.ts";
import type { RecordStore, RecordSubject } from "../../storage/record-store.ts";

export const endpointSubject = (
  step: string,
  { store_id, livemode }: Partition,
  id: string,
): RecordSubject<"endpoint"> => ({
  on: "endpoint",
  step,
  store_id,
  livemode,
  id,
  may: "change",
});

type Created = { readonly outcome: "created" | "limit" | "unknown_store" };

/** Creates an endpoint. A store has at most `most`, in both modes together. */
export const createEndpoint = (
  records: RecordStore,
  endpoint: EndpointRecord,
  most: number,
): Promise<Created> =>
  records.step<"endpoint", Created>(
    { ...endpointSubject("createEndpoint", endpoint, endpoint.id), may: "make", most },
    ({ owner_exists, record, others }) => {
      if (!owner_exists) return { result: { outcome: "unknown_store" } };
      if (record) return { result: { outcome: "created" } };
      if (others >= most) return { result: { outcome: "limit" } };
      return { result: { outcome: "created" }, after: endpoint };
    },
  );

export type EndpointRecordChanges = Partial<
  Pick<EndpointRecord, "url" | "event_types" | "description" | "state" | "disabled_reason">
>;

/** Names an endpoint of a store and mode. */
export interface EndpointName extends Partition {
  readonly id: string;
}

/**
 * Updates an endpoint. Enabling forgets its failures. Disabling stops its claims at
 * once: `skipDeliveries` and later claims make its pending deliveries `skipped`. When
 * `before` is given and the stored endpoint differs from it, nothing is written and the
 * result is `stale`. Gives null for an unknown endpoint.
 */
export const updateEndpoint = (
  records: RecordStore,
  name: EndpointName,
  changes: EndpointRecordChanges,
  before?: EndpointRecord,
): Promise<EndpointRecord | "stale" | null> =>
  records.step<"endpoint", EndpointRecord | "stale" | null>(
    endpointSubject("updateEndpoint", name, name.id),
    ({ record }) => {
      if (!record) return { result: null };
      if (isStale(record, before)) return { result: "stale" };
      const after = { ...record, ...changes };
      return { result: after, after };
    },
  );

/**
 * Puts a secret first. The secret before it signs until `old_until`, and at most `max`
 * secrets that sign stay. A secret that is put again is there once. Gives null for an
 * unknown endpoint.
 */
export const rotateSecret = (
  records: RecordStore,
  name: EndpointName,
  rotation: Rotation,
): Promise<EndpointRecord | null> =>
  records.step<"endpoint", EndpointRecord | null>(
    endpointSubject("rotateSecret", name, name.id),
    ({ record }) => {
      if (!record) return { result: null };
      const after = { ...record, secrets: rotated(record.secrets, rotation) };
      return { result: after, after };
    },
  );
