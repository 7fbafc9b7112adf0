import { setTimeout as sleep } from "node:timers/promises";
import type { EventType } from "#core/contract/events.ts";
import type { Subscription } from "#core/contract/schemas.ts";
import type { OwnerEvent } from "#core/owner/webhooks/events.ts";
import { type Call, end } from "../../frame/command.ts";
import { openTestBuyer, type TestBuyer } from "./test-buyer.ts";

/**
 * Makes an event happen: it acts through the sandbox on real test objects, so that the
 * event is written and delivered like every other.
 */
export async function run(call: Call): Promise<void> {
  const { input, screen } = call;
  const type = input.argument(0) as EventType;
  const store = call.store();
  if (store.livemode) end("usage", "trigger works in test mode only: leave out --live.");

  const buyer = openTestBuyer(call);
  const subject = await triggers[type](buyer, input.text("order"));
  const event = await newestOf(call, type, subject);
  screen.result(event, () => [
    `${screen.paint.good("✓")} ${event.type} ${event.id}`,
    `  of ${subject}, sequence ${event.sequence}`,
  ]);
}

/** Makes each type happen, on the given order where it can. Gives the id of its subject. */
const triggers: Readonly<Record<EventType, (buyer: TestBuyer, order?: string) => Promise<string>>> =
  {
    "checkout.session.completed": async (buyer, order) => freshOrder(buyer, order),
    "order.created": async (buyer, order) => freshOrder(buyer, order, "pending_then_succeed"),
    "order.paid": async (buyer, order) =>
      order === undefined ? freshOrder(buyer, order) : buyer.markPaid(order),
    "order.failed": async (buyer, order) =>
      buyer.markFailed(order ?? (await freshOrder(buyer, order, "pending_then_succeed"))),
    "order.refunded": async (buyer, order) =>
      buyer.refund(order ?? (await freshOrder(buyer, order))),
    "order.refund_failed": async (buyer, order) =>
      buyer.refund(order ?? (await freshOrder(buyer, order, "refund_fails_later"))),
    "order.chargeback": async (buyer, order) =>
      buyer.dispute(order ?? (await freshOrder(buyer, order))),
    "subscription.created": ofNew("subscription.created", async ({ id }) => id),
    "subscription.renewed": ofNew("subscription.renewed", (it, buyer) => buyer.renew(it)),
    "subscription.updated": ofNew("subscription.updated", (it, buyer) => buyer.reprice(it)),
    "subscription.renewal_upcoming": async (buyer, order) =>
      order === undefined ? buyer.awaitNotice() : fresh("subscription.renewal_upcoming"),
    "subscription.past_due": ofNew("subscription.past_due", (it, buyer) => buyer.failRenewal(it)),
    "subscription.recovered": ofNew("subscription.recovered", async (it, buyer) => {
      await buyer.failRenewal(it);
      return buyer.renew(it);
    }),
    "subscription.payment_action_required": ofNew(
      "subscription.payment_action_required",
      (it, buyer) => buyer.failRenewal(it),
    ),
    "subscription.canceled": ofNew("subscription.canceled", (it, buyer) => buyer.cancel(it)),
    "entitlement.granted": async (buyer, order) =>
      order === undefined ? buyer.buyDelivery() : fresh("entitlement.granted"),
    "entitlement.revoked": async (buyer, order) =>
      buyer.refund(order ?? (await buyer.buyDelivery())),
  };

/** Makes a type happen by a new subscription. An order that is given cannot begin one. */
function ofNew(
  type: EventType,
  act: (subscription: Subscription, buyer: TestBuyer) => Promise<string>,
) {
  return async (buyer: TestBuyer, order?: string): Promise<string> =>
    order === undefined ? act(await buyer.subscribe(), buyer) : fresh(type);
}

const fresh = (type: string): never =>
  end("usage", `${type} needs a new purchase: leave out --order.`);

const freshOrder = async (
  buyer: TestBuyer,
  order: string | undefined,
  outcome: Parameters<TestBuyer["buy"]>[0] = "succeed",
): Promise<string> => (order === undefined ? (await buyer.buy(outcome)).id : fresh("This event"));

const longestWaitMs = 100_000;
const pauseMs = 2_000;

/**
 * Finds the event that was just written, so that the next command can name it. The
 * sandbox fails a refund when it is asked again, a minute later, by maintenance.
 */
async function newestOf(call: Call, type: EventType, subject: string): Promise<OwnerEvent> {
  const { screen, signal } = call;
  const { owner, runMaintenance } = call.host().storefront;
  const { store_id, livemode } = call.store();
  const started = Date.now();
  for (;;) {
    const { data } = await owner.events.list({ store_id, livemode, type, limit: 20 });
    const event = data.find(({ payload }) => JSON.stringify(payload).includes(subject));
    if (event) return event;

    const waited = Date.now() - started;
    if (type !== "order.refund_failed" || waited > longestWaitMs || signal.aborted)
      return end("failed", `${type} was not written for ${subject}.`);
    screen.progress(`The sandbox is asked about the refund after a minute: ${waited / 1_000} s`);
    await sleep(pauseMs, undefined, { signal }).catch(() => {});
    await runMaintenance({ signal });
  }
}
