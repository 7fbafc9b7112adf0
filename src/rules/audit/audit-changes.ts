import { iso } from "../catalog/render.ts";
import type { DashboardLinkRecord, DashboardSessionRecord } from "../owner/dashboard-records.ts";
import type { Partition, StoreRecord } from "../records.ts";
import type { DeliveryKey, FinalState } from "../webhooks/webhook-records.ts";
import type { AuditedChange } from "./audit-records.ts";

// Every storage tells the audit log of its steps with these functions.

type ActionChange = Extract<AuditedChange, { readonly kind: "action" }>;

interface Address {
  readonly kind: "origin" | "return_url";
  readonly store_id: string;
  readonly address: string;
}

/**
 * Makes the change of an address. Its entry is about the store, because an address
 * can be too long for an id.
 */
const addressChange = (
  { store_id }: Address,
  values: Pick<ActionChange, "before" | "after">,
): AuditedChange => ({
  kind: "action",
  store_id,
  livemode: null,
  subject: { type: "store", id: store_id },
  ...values,
});

export const addressAdded = (added: Address): AuditedChange =>
  addressChange(added, { before: null, after: { [added.kind]: added.address } });

export const addressRemoved = (removed: Address): AuditedChange =>
  addressChange(removed, { before: { [removed.kind]: removed.address }, after: null });

export const storeChanged = (before: StoreRecord | null, after: StoreRecord): AuditedChange => ({
  kind: "record",
  type: "store",
  before: before && { ...before, store_id: after.id },
  after: { ...after, store_id: after.id },
});

/** Tells of a note. The entry has only the note's id, because the text may name a person. */
export const noteWritten = ({
  store_id,
  livemode,
  order_id,
  id,
}: Partition & { readonly order_id: string; readonly id: string }): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "order", id: order_id },
  before: null,
  after: { note: id },
});

export const deliveryResent = ({
  store_id,
  livemode,
  endpoint_id,
  event_id,
}: Partition & DeliveryKey): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "delivery", id: `${endpoint_id}/${event_id}` },
  before: null,
  after: null,
});

interface RecoveredRange extends Partition {
  readonly endpoint_id: string;
  readonly since: number;
  readonly until: number;
  readonly states: readonly FinalState[];
}

/**
 * Tells of a recovery. The entry has the range and not the number of deliveries,
 * because a recovery takes several transactions.
 */
export const deliveriesRecovered = ({
  store_id,
  livemode,
  endpoint_id,
  since,
  until,
  states,
}: RecoveredRange): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "endpoint", id: endpoint_id },
  before: null,
  after: { since: iso(since), until: iso(until), states },
});

export const customerErased = ({
  store_id,
  customer_id,
}: {
  readonly store_id: string;
  readonly customer_id: string;
}): AuditedChange => ({
  kind: "action",
  store_id,
  livemode: null,
  subject: { type: "customer", id: customer_id },
  before: null,
  after: null,
});

export const tokensOfCustomer = (
  { store_id, livemode }: Partition,
  customer_id: string,
): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "customer", id: customer_id },
  before: null,
  after: null,
});

export const testDataWiped = (store_id: string): AuditedChange => ({
  kind: "action",
  store_id,
  livemode: false,
  subject: { type: "store", id: store_id },
  before: null,
  after: null,
});

export const testEventSent = (
  { store_id, livemode }: Partition,
  endpoint_id: string,
): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "endpoint", id: endpoint_id },
  before: null,
  after: null,
});

/**
 * Tells of a new link. Links and sessions have no id that may be kept, so the entry
 * names the person whom they let in.
 */
export const linkCreated = (link: DashboardLinkRecord): AuditedChange => ({
  kind: "record",
  type: "dashboard_link",
  before: null,
  after: { ...link, id: link.actor },
});

/** Tells of a link that nobody can use any more. */
export const linkEnded = (link: DashboardLinkRecord): AuditedChange => ({
  kind: "record",
  type: "dashboard_link",
  before: { ...link, id: link.actor },
  after: null,
});

/** Tells of the session that a link has opened. */
export const linkSpent = (session: DashboardSessionRecord): AuditedChange => ({
  kind: "record",
  type: "dashboard_session",
  before: null,
  after: { ...session, id: session.actor },
});

export const sessionEnded = (session: DashboardSessionRecord): AuditedChange => ({
  kind: "record",
  type: "dashboard_session",
  before: { ...session, id: session.actor },
  after: null,
});
