import type { EntitlementEventType, EventType } from "../../contract/events.ts";
import type { OrderStatus } from "../../contract/schemas.ts";
import { iso, isoOrNull } from "../../domain/text/iso.ts";
import { renderSession } from "../catalog/render.ts";
import { renderCustomer, renderOrder } from "../catalog/render-order.ts";
import { statusOf, waitsForKey } from "../entitlements/shown-license.ts";
import type {
  DisputeRecord,
  RefundRecord,
  SubscriptionRecord,
} from "../payments/payment-records.ts";
import type { EventDraft, OrderRecord, SessionRecord } from "../records.ts";
import { renderSubscription } from "../subscriptions/render-subscription.ts";
import { toldAgent } from "../webhooks/told-agent.ts";

/** Collects the events of one step, in the order of their sequence. */
export class EventDrafts {
  readonly list: EventDraft[] = [];
  readonly #ids: readonly string[];
  readonly #now: number;

  constructor(ids: readonly string[], now: number) {
    this.#ids = ids;
    this.#now = now;
  }

  order(type: EventType, order: OrderRecord, previous_status: OrderStatus | null): void {
    this.#ofOrder(type, order, { previous_status });
  }

  refund(order: OrderRecord, previous_status: OrderStatus, refund: RefundRecord): void {
    this.#ofOrder("order.refunded", order, { previous_status, refund: showRefund(refund) });
  }

  refundFailed(order: OrderRecord, previous_status: OrderStatus, refund: RefundRecord): void {
    const { failure_reason } = refund;
    const failed = { ...showRefund(refund), failure_reason };
    this.#ofOrder("order.refund_failed", order, { previous_status, refund: failed });
  }

  dispute(order: OrderRecord, previous_status: OrderStatus, dispute: DisputeRecord): void {
    const { id, amount, reason } = dispute;
    const due_by = dispute.due_by === null ? null : iso(dispute.due_by);
    const shown = { id, amount, reason, due_by };
    this.#ofOrder("order.chargeback", order, { previous_status, dispute: shown });
  }

  sessionCompleted(session: SessionRecord, order: OrderRecord): void {
    // Events are stored, and a checkout token never is. The event shows only an address that the
    // host made; nothing is left to pay at ours.
    const { checkout_url } = session;
    const checkout_session = { ...renderSession(session, "", this.#now), checkout_url };
    this.#add("checkout.session.completed", (number) => ({
      checkout_session,
      order: showBriefly(order, number),
    }));
  }

  subscription(type: EventType, subscription: SubscriptionRecord, order: OrderRecord | null): void {
    this.#add(type, (number) => ({
      subscription: renderSubscription(subscription),
      order: order && showBriefly(order, number),
    }));
  }

  /**
   * Tells of what the buyer has now, or has no more, without its content: an event is stored and
   * sent. What waits for a key is told once it has one.
   */
  entitlements(type: EntitlementEventType, order: OrderRecord): void {
    const told =
      order.entitlements?.filter(({ content, revoked_at }) => {
        const isHad = revoked_at === null;
        return !waitsForKey(content) && isHad === (type === "entitlement.granted");
      }) ?? [];
    if (told.length === 0) return;

    const entitlements = told.map(({ content, ...entitlement }) => ({
      id: entitlement.id,
      type: content.type,
      status: statusOf({ content, ...entitlement }),
      item_id: entitlement.item_id,
      product_id: entitlement.product_id,
      quantity: entitlement.quantity,
      license_key_last4: "last4" in content ? content.last4 : null,
      granted_at: iso(entitlement.granted_at),
      revoked_at: isoOrNull(entitlement.revoked_at),
    }));
    const customer = renderCustomer(order.customer);
    this.#add(type, (number) => ({ entitlements, customer, order: showBriefly(order, number) }));
  }

  /** Adds an event of the order, of which its agent is told too where it is one for agents. */
  #ofOrder(type: EventType, order: OrderRecord, facts: object): void {
    const data = (number: number) => ({ order: showOrder(order, number), ...facts });
    this.#add(type, data, toldAgent(type, order));
  }

  #add(type: EventType, data: EventDraft["data"], agent?: string): void {
    const id = this.#ids[this.list.length];
    if (id === undefined) throw new Error("A step writes more events than it has ids for.");

    this.list.push({ id, type, created_at: this.#now, data, agent });
  }
}

// Gives the order's number. A new order has the number 0 until the storage numbers
// it inside the step.
const numberOf = (order: OrderRecord, new_number: number): number => order.number || new_number;

const showRefund = ({ id, amount, reason, created_at }: RefundRecord) => ({
  id,
  amount,
  reason,
  created_at: iso(created_at),
});

const showOrder = (order: OrderRecord, new_number: number) =>
  renderOrder({ ...order, number: numberOf(order, new_number) });

const showBriefly = (order: OrderRecord, new_number: number) => ({
  id: order.id,
  number: numberOf(order, new_number),
  status: order.status,
});
