import { fail } from "../contract/errors.ts";
import type { Order } from "../contract/schemas.ts";
import { check, checkId } from "../input/check.ts";
import type { RefundRecord } from "../rules/payment-records.ts";
import type { OrderRecord, Partition } from "../rules/records.ts";
import { renderOrder } from "../rules/render.ts";
import { askGateway, findGateway } from "./charge.ts";
import {
  afterStep,
  eventIds,
  keepsStock,
  orderIds,
  orderStore,
  type PaymentContext,
  type StepOptions,
} from "./context.ts";
import {
  CloseDisputeInput,
  DisputeInput,
  MarkFailedInput,
  MarkPaidInput,
  PartitionInput,
  RefundInput,
  readBuyer,
} from "./inputs.ts";

export interface RefundResult {
  readonly id: string;
  /** `pending`: the gateway has not said; maintenance asks again. */
  readonly status: "pending" | "succeeded" | "failed";
  /** Minor units. */
  readonly amount: number;
  readonly order: Order;
}

/** What the host tells of an order, and asks of it. Every call names the order's store and mode; another's order is `resource_not_found`. */
export interface OrderService {
  retrieve(order_id: string, partition: PartitionInput): Promise<Order>;
  /** Your own code took the payment. Idempotent by `reference`. Throws `payment_mismatch`, `invalid_transition` for a renewal's order. */
  markPaid(order_id: string, input: MarkPaidInput, options?: StepOptions): Promise<Order>;
  /** Its payment failed for good: what it held is released. A late success still counts. Throws `invalid_transition` once it is paid. */
  markFailed(order_id: string, input: MarkFailedInput, options?: StepOptions): Promise<Order>;
  /**
   * Money back, in part or all that is left. Idempotent by `reference`. By the gateway that took the payment where it can refund; otherwise you have
   * moved the money and it is booked. Throws `refund_exceeds_balance`, `invalid_transition`, `parameter_conflict` for a used reference with another amount.
   */
  refund(order_id: string, input: RefundInput, options?: StepOptions): Promise<RefundResult>;
  /** A chargeback came in. Idempotent by `reference`. Throws `invalid_transition` unless the order is paid or refunded. */
  openDispute(order_id: string, input: DisputeInput, options?: StepOptions): Promise<Order>;
  /** `won` brings back the status before it. Repeats with the same outcome are no-ops; another outcome is `invalid_transition`. */
  closeDispute(order_id: string, input: CloseDisputeInput, options?: StepOptions): Promise<Order>;
}

/** A refund without a result is asked about again after this. */
const refundCheckMs = 60_000;

export function createOrderService(ctx: PaymentContext): OrderService {
  const { orders } = ctx.storage;
  const find = async (partition: Partition, id: string): Promise<OrderRecord> =>
    (await orders.findOrder(partition, checkId("order_id", id))) ?? fail("resource_not_found");

  return {
    retrieve: async (order_id, where) =>
      renderOrder(await find(check(PartitionInput, where), order_id)),
    async markPaid(order_id, input, options = {}) {
      const { store_id, livemode, payment_method, ...payment } = check(MarkPaidInput, input);
      const partition = { store_id, livemode };
      const order = await find(partition, order_id);
      const found =
        order.session_id === null
          ? null
          : await ctx.storage.checkout.findSession(partition, order.session_id);
      if (!found)
        return fail("invalid_transition", {
          message: "This order renews a subscription: use subscriptions.renew.",
        });
      const result = await orderStore(ctx, options).completeSession({
        ...partition,
        ...payment,
        status: "paid",
        session_id: found.session.id,
        ids: orderIds(ctx, found.session),
        now: ctx.now(),
        external_stock: keepsStock(ctx),
        buyer: readBuyer(null),
        attempt_id: ctx.newId("pay"),
        payment_method_type: payment_method?.type ?? null,
      });
      if (result.outcome === "mismatch")
        return fail("payment_mismatch", {
          param: payment.amount === order.amount_total ? "currency" : "amount",
        });
      if (!("order" in result)) return fail("resource_not_found");
      await afterStep(ctx, partition, result.order, options);
      return renderOrder(result.order);
    },
    async markFailed(order_id, input, options = {}) {
      const { failure_code, ...partition } = check(MarkFailedInput, input);
      const result = await orderStore(ctx, options).failOrder({
        ...partition,
        order_id: checkId("order_id", order_id),
        failure_code: failure_code ?? "declined",
        ids: eventIds(ctx),
        now: ctx.now(),
      });
      if (result.outcome === "unknown_order") return fail("resource_not_found");
      if (result.outcome === "invalid_transition") return fail("invalid_transition");
      await afterStep(ctx, partition, result.order, options);
      return renderOrder(result.order);
    },
    async refund(order_id, input, options = {}) {
      const {
        store_id,
        livemode,
        reference,
        amount = null,
        reason = null,
      } = check(RefundInput, input);
      const partition = { store_id, livemode };
      const now = ctx.now();
      const reserved = await orderStore(ctx, options).reserveRefund({
        ...partition,
        order_id: checkId("order_id", order_id),
        refund: { id: ctx.newId("rf"), reference, amount, reason },
        refunding: ctx.gateways
          .filter((gateway) => gateway.livemode === livemode && gateway.refund)
          .map(({ id }) => id),
        ids: eventIds(ctx),
        now,
        check_at: now + refundCheckMs,
      });
      if (reserved.outcome === "unknown_order") return fail("resource_not_found");
      if (reserved.outcome === "exceeds_balance")
        return fail("refund_exceeds_balance", { param: "amount" });
      if (reserved.outcome === "different_amount")
        return fail("parameter_conflict", {
          param: "reference",
          message: "This reference was used for a refund of another amount.",
        });
      if (reserved.outcome === "invalid_transition") return fail("invalid_transition");
      // In the host's transaction the reserve is not committed yet: maintenance asks the gateway once it is.
      if (reserved.outcome === "reserved" && options.client === undefined)
        return moveRefund(ctx, reserved.order, reserved.refund);
      await afterStep(ctx, partition, null, options);
      return shown(reserved.order, reserved.refund);
    },
    async openDispute(order_id, input, options = {}) {
      const { reference, amount, reason = null, due_by, ...partition } = check(DisputeInput, input);
      const order = await find(partition, order_id);
      const result = await orderStore(ctx, options).openDispute({
        ...partition,
        order_id,
        dispute: {
          id: reference,
          amount: amount ?? order.amount_total,
          reason,
          due_by: due_by == null ? null : Date.parse(due_by),
        },
        ids: eventIds(ctx),
        now: ctx.now(),
      });
      await afterStep(ctx, partition, null, options);
      return disputed(result);
    },
    async closeDispute(order_id, input, options = {}) {
      const { reference, outcome, ...partition } = check(CloseDisputeInput, input);
      return disputed(
        await orderStore(ctx, options).closeDispute({
          ...partition,
          order_id: checkId("order_id", order_id),
          dispute_id: reference,
          result: outcome,
          now: ctx.now(),
        }),
      );
    },
  };
}

/** The gateway moves the money outside any transaction; without an answer the reserve stays until maintenance has one. */
export async function moveRefund(
  ctx: PaymentContext,
  order: OrderRecord,
  refund: RefundRecord,
): Promise<RefundResult> {
  const gateway =
    refund.gateway === null ? null : findGateway(ctx, refund.gateway, refund.livemode);
  const { id, payment_reference, amount, store_id, livemode } = refund;
  if (!gateway || payment_reference === null) return shown(order, refund);
  const told = await askGateway(ctx, gateway, id, async (signal) =>
    gateway.refund?.({ id, reference: payment_reference, amount, signal }),
  );
  const status = told?.answer?.status;
  if (status !== "succeeded" && status !== "failed") return shown(order, refund); // anything else is no result: the money may be on its way
  const settled = await ctx.storage.orders.settleRefund({
    store_id,
    livemode,
    order_id: order.id,
    refund_id: id,
    succeeded: status === "succeeded",
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (!("refund" in settled)) return fail("resource_not_found");
  ctx.committed({ store_id, livemode });
  return shown(settled.order, settled.refund);
}

const shown = (order: OrderRecord, { id, state, amount }: RefundRecord): RefundResult => ({
  id,
  status: state === "reserved" ? "pending" : state,
  amount,
  order: renderOrder(order),
});

function disputed(result: { readonly outcome: string; readonly order?: OrderRecord }): Order {
  if (result.outcome === "invalid_transition") return fail("invalid_transition");
  if (result.outcome === "unknown_dispute")
    return fail("resource_not_found", { param: "reference", message: "There is no such dispute." });
  return result.order ? renderOrder(result.order) : fail("resource_not_found");
}
