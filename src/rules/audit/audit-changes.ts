import { iso } from "../../domain/text/iso.ts";
import type { KeyPool } from "../entitlements/entitlement-record.ts";
import type {
  DashboardLinkRecord,
  DashboardSessionRecord,
  PersonRecord,
} from "../owner/dashboard-records.ts";
import { personOf } from "../owner/people.ts";
import type { RecordKind, RecordsByKind, StoreWithAddresses } from "../owner/record-kinds.ts";
import type { NoteRecord, Partition, StoreRecord } from "../records.ts";
import type { DeliveryKey, FinalState } from "../webhooks/webhook-records.ts";
import type { AuditedChange, AuditedRecord, AuditedRecordType } from "./audit-records.ts";

// Every storage tells the audit log of its steps with these functions.

type ActionChange = Extract<AuditedChange, { readonly kind: "action" }>;

/** Makes the entry of an action about a store, or about one of its modes. */
export const storeAction = (
  { store_id, livemode }: Pick<ActionChange, "store_id" | "livemode">,
  values: Pick<ActionChange, "before" | "after">,
): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "store", id: store_id },
  ...values,
});

/** Makes the change of an address, which can be too long for the id of a subject. */
const addressChange = (
  { store_id }: { readonly store_id: string },
  values: Pick<ActionChange, "before" | "after">,
): AuditedChange => storeAction({ store_id, livemode: null }, values);

const storeChanged = (before: StoreRecord | null, after: StoreRecord): AuditedChange => ({
  kind: "record",
  type: "store",
  before: before && { ...before, store_id: after.id },
  after: { ...after, store_id: after.id },
});

/** Tells of a note. The entry has only the note's id, because the text may name a person. */
const noteWritten = ({ store_id, livemode, order_id, id }: NoteRecord): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "order", id: order_id },
  before: null,
  after: { note: id },
});

/** Tells of a store. Its lists of addresses are told where the store itself stays as it is. */
function storeOrAddressesChanged(
  before: StoreWithAddresses | null,
  after: StoreWithAddresses,
): AuditedChange | null {
  // The call that moves orders out tells of it itself.
  if (before && before.store.archive !== after.store.archive) return null;
  if (before?.store !== after.store) return storeChanged(before?.store ?? null, after.store);

  for (const [kind, list] of addressLists) {
    const added = after[list].find((address) => !before[list].includes(address));
    const removed = before[list].find((address) => !after[list].includes(address));
    const { id: store_id } = after.store;
    if (added !== undefined)
      return addressChange({ store_id }, { before: null, after: { [kind]: added } });
    if (removed !== undefined)
      return addressChange({ store_id }, { before: { [kind]: removed }, after: null });
  }
  return null;
}

const addressLists = [
  ["origin", "origins"],
  ["return_url", "return_urls"],
] as const;

/** What a step of one record has changed. Null means that there was or is no record. */
type TellChange<Kind extends RecordKind> = (
  before: RecordsByKind[Kind] | null,
  after: RecordsByKind[Kind] | null,
) => AuditedChange | null;

const recordOf =
  <Kind extends AuditedRecordType & RecordKind>(type: Kind) =>
  (before: AuditedRecord | null, after: AuditedRecord | null): AuditedChange => ({
    kind: "record",
    type,
    before,
    after,
  });

/** Tells the audit log of the steps of records, by their kinds. Null is nothing to tell. */
export const recordChanges: { readonly [Kind in RecordKind]: TellChange<Kind> } = {
  store: (before, after) => after && storeOrAddressesChanged(before, after),
  api_key: recordOf("api_key"),
  alert: recordOf("alert"),
  category: recordOf("category"),
  payment_method: recordOf("payment_method"),
  coupon: recordOf("coupon"),
  product: recordOf("product"),
  endpoint: recordOf("endpoint"),
  order_note: (_before, after) => after && noteWritten(after),
  key_pool: (_before, after) => after && keysUploaded(after),
  delivery: (_before, after) => after && deliveryResent(after.delivery),
  person: recordOf("person"),
};

/** Tells how many keys were uploaded, and none of them. */
const keysUploaded = ({ store_id, livemode, id, added }: KeyPool): AuditedChange => ({
  kind: "action",
  store_id,
  livemode,
  subject: { type: "product", id },
  before: null,
  after: { keys: added.length },
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

/** Gives the entry of an erasure. */
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

/** Gives the entry of a buyer's tokens that were revoked. */
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

/** Tells of a file of orders, which are deleted behind it. */
export const ordersArchived = (
  of: Partition,
  after: { readonly month: string; readonly orders: number; readonly file: string },
): AuditedChange => storeAction(of, { before: null, after });

/** Gives the entry of test data that was deleted. */
export const testDataWiped = (store_id: string): AuditedChange =>
  storeAction({ store_id, livemode: false }, { before: null, after: null });

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

/** Gives the entry of a person who was changed. */
export const personChanged = (
  people: readonly PersonRecord[],
  after: PersonRecord,
): AuditedChange | null =>
  recordChanges.person(people.find(({ id }) => id === after.id) ?? null, after);

/** Gives the entry of a dashboard session or a person that was ended. */
export function sessionEnded(session: DashboardSessionRecord): AuditedChange {
  const person = personOf(session);
  if (person) return recordChanges.person(person, null) as AuditedChange;
  const before = { ...session, id: session.actor };
  return { kind: "record", type: "dashboard_session", before, after: null };
}
