import { fail } from "../../../contract/errors.ts";
import { awaitsPayment } from "../../../rules/orders/order-states.ts";
import type { OrderPayment } from "../../../rules/payments/render-payment.ts";
import { amountText } from "../../format.ts";
import { partitionOf, type Screen, type StoreVisit } from "../../screen.ts";
import { confirmScreen } from "../confirm.ts";
import { buyerName } from "./customer-parts.ts";
import { isReturnable } from "./order-money.ts";
import { findOrder, orderAddress, orderCrumbs } from "./order-parts.ts";

export const cancelOrderScreen: Screen = confirmScreen({
  path: "orders/{id}/cancel",
  section: "orders",
  action: "orders.mark_failed",
  async ask(visit) {
    const { say } = visit.language;
    const order = await findOrder(visit);
    return {
      title: say("order_cancel_title", { number: String(order.number) }),
      text: say("order_cancel_text"),
      button: "order_cancel",
      crumbs: orderCrumbs(visit, order),
      back: orderAddress(visit, order.id),
      refusal: awaitsPayment(order.status) ? null : say("fault_order_ended"),
    };
  },
  async run(visit) {
    const { id } = await findOrder(visit);
    const how = { ...partitionOf(visit), failure_code: "canceled" } as const;
    await visit.parts.orders.markFailed(id, how);
    return { kind: "done", address: orderAddress(visit, id), message: "done_order_canceled" };
  },
});

async function findMoney(visit: StoreVisit, order_id: string): Promise<OrderPayment> {
  const payments = await visit.parts.orders.listPayments(order_id, partitionOf(visit));
  const found = payments.find(({ id }) => id === visit.params["payment_id"]);
  return found ?? fail("resource_not_found", { param: "payment_id" });
}

export const returnPaymentScreen: Screen = confirmScreen({
  path: "orders/{id}/return/{payment_id}",
  section: "orders",
  action: "orders.return_payment",
  async ask(visit) {
    const { say } = visit.language;
    const order = await findOrder(visit);
    const money = await findMoney(visit, order.id);
    const left = amountText(visit, money.amount - money.amount_returned, money.currency);
    return {
      title: say("return_title", { amount: left }),
      text: say("return_text", {
        amount: left,
        name: buyerName(visit, order.customer),
        gateway: money.gateway,
      }),
      button: "payment_return",
      crumbs: orderCrumbs(visit, order),
      back: orderAddress(visit, order.id),
      refusal: isReturnable(money)
        ? null
        : say(money.gateway === "host" ? "return_by_host" : "return_none"),
    };
  },
  async run(visit) {
    const { id } = await findOrder(visit);
    const money = await findMoney(visit, id);
    const { status } = await visit.parts.orders.returnPayment(money.id, partitionOf(visit));
    if (status !== "returned" && status !== "returning")
      return fail("gateway_error", { message: "The gateway did not send the money back." });
    const message = status === "returned" ? "done_returned" : "done_returning";
    return { kind: "done", address: orderAddress(visit, id), message };
  },
});
