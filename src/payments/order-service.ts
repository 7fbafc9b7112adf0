import { fail } from "../contract/errors.ts";
import type { Order } from "../contract/schemas.ts";
import { check, checkId } from "../input/check.ts";
import { renderOrder } from "../rules/catalog/render-order.ts";
import type { DisputeResult } from "../rules/disputes/dispute-commands.ts";
import { isPaid } from "../rules/orders/order-states.ts";
import { takenByHost } from "../rules/orders/outcomes.ts";
import type { OrderPayment } from "../rules/payments/render-payment.ts";
import type { OrderRecord, Partition } from "../rules/records.ts";
import { completeSession } from "../steps/checkout-steps.ts";
import { closeDispute, failOrder, openDispute } from "../steps/order-steps.ts";
import {
  afterStep,
  eventIds,
  hasExternalStock,
  type OrderSteps,
  orderIds,
  type PaymentContext,
  type StepOptions,
  settlement,
  stepsOf,
  tellStep,
} from "./context.ts";
import {
  CloseDisputeInput,
  DisputeInput,
  MarkFailedInput,
  MarkPaidInput,
  PartitionInput,
  type RefundInput,
  readBuyer,
} from "./inputs.ts";
import { type RefundResult, refundOrder } from "./refunds/refunds.ts";
import { listPayments, returnPayment } from "./refunds/returns.ts";
import { refuseTakenReference } from "./taken-reference.ts";

/**
 * Lets the host's own code read and change orders. Each call names the order's
 * store and mode, and throws `resource_not_found` for an order of another store or
 * mode.
 */
export interface OrderService {
  /** Reads an order. Throws `resource_not_found` for an order of another store or mode. */
  retrieve(order_id: string, partition: PartitionInput): Promise<Order>;

  /**
   * Reports that your own code took the payment. It is idempotent by `reference`.
   * Throws `payment_mismatch` when amount or currency differ from the order's, and
   * `invalid_transition` for the order of a renewal.
   */
  markPaid(order_id: string, input: MarkPaidInput, options?: StepOptions): Promise<Order>;

  /**
   * Reports that the payment has failed for good, and releases the stock that the
   * order held. A later success still counts. Throws `invalid_transition` once the
   * order is paid.
   */
  markFailed(order_id: string, input: MarkFailedInput, options?: StepOptions): Promise<Order>;

  /**
   * Refunds a part, or all that is left. It is idempotent by `reference`; only a
   * refund that the gateway refused at once is tried again. The gateway that took
   * the payment moves the money, and the refund is booked when it says so. With
   * `moved: "by_host"` the call books money that you have moved. Throws
   * `gateway_error` when the gateway is not configured here or cannot refund,
   * `refund_exceeds_balance`, `invalid_transition`, and `parameter_conflict` when
   * the reference was used with another amount.
   */
  refund(order_id: string, input: RefundInput, options?: StepOptions): Promise<RefundResult>;

  /**
   * Lists the money that came for the order, the oldest first: at most one payment
   * is `booked`.
   */
  listPayments(order_id: string, partition: PartitionInput): Promise<readonly OrderPayment[]>;

  /**
   * Sends a payment that pays nothing back to the buyer, by its id from `listPayments`.
   * Without a result it is `returning`, and maintenance asks again; a repeat moves
   * no more money. Throws `invalid_transition` for the payment that pays its order,
   * and `gateway_error` when its gateway is not configured here or cannot refund.
   */
  returnPayment(payment_id: string, partition: PartitionInput): Promise<OrderPayment>;

  /**
   * Reports a chargeback. It is idempotent by `reference`; an order can have
   * several. Throws `invalid_transition` when the order was never paid, and
   * `parameter_invalid` for an amount above the order's total.
   */
  openDispute(order_id: string, input: DisputeInput, options?: StepOptions): Promise<Order>;

  /**
   * Closes a dispute. Once every dispute of the order is `won`, the order has the
   * status of before again. A repeat with the same outcome changes nothing; another
   * one throws `invalid_transition`.
   */
  closeDispute(order_id: string, input: CloseDisputeInput, options?: StepOptions): Promise<Order>;
}

export function createOrderService(ctx: PaymentContext): OrderService {
  return {
    async retrieve(order_id, where) {
      const { orders } = ctx.storage;
      return renderOrder(await findOrder(orders, check(PartitionInput, where), order_id));
    },

    listPayments: (order_id, where) => listPayments(ctx, order_id, where),
    returnPayment: (payment_id, where) => returnPayment(ctx, payment_id, where),
    markPaid: (order_id, input, options = {}) => markPaid(ctx, order_id, input, options),
    refund: (order_id, input, options = {}) => refundOrder(ctx, order_id, input, options),

    async markFailed(order_id, input, options = {}) {
      const { failure_code, ...partition } = check(MarkFailedInput, input);

      const result = await failOrder(stepsOf(ctx, options), {
        ...partition,
        order_id: checkId("order_id", order_id),
        failure_code: failure_code ?? "declined",
        ids: eventIds(ctx),
        now: ctx.now(),
        ...settlement(options),
      });
      tellStep(ctx, partition, result, options);
      if (result.outcome === "unknown_order") return fail("resource_not_found");
      if (result.outcome === "invalid_transition")
        return fail("invalid_transition", {
          message: `The order is ${result.order.status}: only a pending order can fail.`,
        });

      await afterStep(ctx, partition, result.order, options);
      return renderOrder(result.order);
    },

    async openDispute(order_id, input, options = {}) {
      const checked = check(DisputeInput, input);
      const { reference, amount = null, reason = null, due_by, ...partition } = checked;

      const result = await openDispute(stepsOf(ctx, options), {
        ...partition,
        order_id: checkId("order_id", order_id),
        dispute: {
          id: reference,
          amount,
          reason,
          due_by: due_by == null ? null : Date.parse(due_by),
        },
        inquiry: false,
        money: null,
        ids: eventIds(ctx),
        now: ctx.now(),
      });

      await afterStep(ctx, partition, null, options);
      return renderDisputed(result);
    },

    async closeDispute(order_id, input, options = {}) {
      const { reference, outcome, ...partition } = check(CloseDisputeInput, input);

      const result = await closeDispute(stepsOf(ctx, options), {
        ...partition,
        order_id: checkId("order_id", order_id),
        dispute_id: reference,
        result: outcome,
        money: null,
        ids: eventIds(ctx),
        now: ctx.now(),
      });
      return renderDisputed(result);
    },
  };
}

async function findOrder(
  orders: OrderSteps,
  partition: Partition,
  order_id: string,
): Promise<OrderRecord> {
  const id = checkId("order_id", order_id);
  return (await orders.find("order", partition, id)) ?? fail("resource_not_found");
}

async function markPaid(
  ctx: PaymentContext,
  order_id: string,
  input: MarkPaidInput,
  options: StepOptions,
): Promise<Order> {
  const { store_id, livemode, payment_method, ...payment } = check(MarkPaidInput, input);
  const partition = { store_id, livemode };

  const orders = stepsOf(ctx, options);
  const order = await findOrder(orders, partition, order_id);
  const { session_id } = order;
  const found = session_id === null ? null : await orders.findCheckout(partition, session_id);
  if (!found)
    return fail("invalid_transition", {
      message: "This order renews a subscription: use subscriptions.renew.",
    });

  const result = await completeSession(orders, {
    ...partition,
    ...payment,
    status: "paid",
    session_id: found.session.id,
    ids: orderIds(ctx, found.session),
    now: ctx.now(),
    external_stock: hasExternalStock(ctx),
    ...settlement(options),
    buyer: readBuyer(null),
    attempt_id: ctx.newId("pay"),
    payment_method_type: payment_method?.type ?? null,
  });

  tellStep(ctx, partition, { ...result, gateway: takenByHost }, options);
  if (result.outcome === "mismatch") {
    const param = payment.amount === order.amount_total ? "currency" : "amount";
    return fail("payment_mismatch", { param });
  }
  if (result.outcome === "reference_taken") return refuseTakenReference();
  if (!("order" in result)) return fail("resource_not_found");

  await afterStep(ctx, partition, result.order, options);
  return renderOrder(result.order);
}

function renderDisputed(result: DisputeResult): Order {
  switch (result.outcome) {
    case "invalid_transition":
      return fail("invalid_transition", { message: refusedDispute(result.order) });
    case "exceeds_total":
      return fail("parameter_invalid", {
        param: "amount",
        message: "A dispute cannot be larger than the order's total.",
      });
    case "unknown_order":
    case "unknown_payment":
      return fail("resource_not_found");
    case "unknown_dispute":
      return fail("resource_not_found", {
        param: "reference",
        message: "There is no such dispute.",
      });
    default:
      return renderOrder(result.order);
  }
}

const refusedDispute = ({ status }: OrderRecord): string =>
  isPaid(status)
    ? "The dispute has ended with another outcome already."
    : `The order is ${status}: only an order that was paid can be disputed.`;
