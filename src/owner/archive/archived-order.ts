import { iso } from "../../domain/text/iso.ts";
import type { WholeOrder } from "../../rules/archive/stay.ts";
import type { EntitlementRecord } from "../../rules/entitlements/entitlement-record.ts";
import { type Refund, renderRefund } from "../../rules/refunds/render-refund.ts";
import { type OwnerDispute, renderDispute } from "../sales/disputes.ts";
import { type OwnerNote, type OwnerOrder, renderNote, renderOwnerOrder } from "../sales/orders.ts";
import { type OwnerPayment, renderOwnerPayment } from "../sales/payments.ts";
import { type OwnerSession, renderOwnerSession } from "../sales/sessions.ts";

/** What an order had given to its buyer, and what was taken back. */
export interface ArchivedEntitlement
  extends Pick<EntitlementRecord, "id" | "item_id" | "product_id" | "quantity"> {
  readonly type: EntitlementRecord["content"]["type"];
  readonly granted_at: string;
  readonly revoked_at: string | null;
}

/** An order as a line of the archive has it: the rows of the exports, joined. */
export interface ArchivedOrder extends Omit<OwnerOrder, "entitlements"> {
  readonly archived_entitlements: readonly ArchivedEntitlement[];
  readonly coupon_id: string | null;
  /** The use of the coupon counts for this name of the customer. */
  readonly coupon_key: string | null;
  /** The attempts to pay with the money that came, the oldest first. */
  readonly payments: readonly OwnerPayment[];
  readonly refunds: readonly Refund[];
  readonly disputes: readonly OwnerDispute[];
  readonly notes: readonly OwnerNote[];
  readonly session: OwnerSession | null;
}

/** Gives the line of an order. Equal records have equal lines. */
export const lineOf = (whole: WholeOrder, now: number): string =>
  `${JSON.stringify(archivedOrder(whole, now))}\n`;

function archivedOrder(whole: WholeOrder, now: number): ArchivedOrder {
  const { order, session, attempts, payments, refunds, disputes, notes } = whole;
  return {
    ...renderOwnerOrder(order),
    archived_entitlements: (order.entitlements ?? []).map(renderEntitlement),
    coupon_id: order.coupon_id,
    coupon_key: order.coupon_key,
    payments: byId(attempts).map((attempt) => {
      const money = byId(payments).filter(({ attempt_id }) => attempt_id === attempt.id);
      return renderOwnerPayment({ attempt, money });
    }),
    refunds: byId(refunds).map(renderRefund),
    disputes: byId(disputes).map((dispute) => renderDispute({ dispute, order })),
    notes: byId(notes).map(renderNote),
    session: session && renderOwnerSession({ session, order }, now),
  };
}

const renderEntitlement = (entitlement: EntitlementRecord): ArchivedEntitlement => {
  const { id, item_id, product_id, quantity, content, granted_at, revoked_at } = entitlement;
  return {
    id,
    item_id,
    product_id,
    quantity,
    type: content.type,
    granted_at: iso(granted_at),
    revoked_at: revoked_at === null ? null : iso(revoked_at),
  };
};

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));

/** Reads a line that `lineOf` has written. */
export const readLine = (line: string): ArchivedOrder => JSON.parse(line) as ArchivedOrder;
