import fc from "fast-check";
import { sandboxNotification } from "vitrine/gateway";
import type { CheckoutService } from "vitrine/owner";
import { paymentBehaviours, refundBehaviours } from "../support/model-provider.ts";
import { inTransaction, ordersOf, type Stage } from "./model-stage.ts";

const at = fc.nat(7);
const within = fc.constantFrom(
  "none" as const,
  "none" as const,
  "commit" as const,
  "rollback" as const,
);
/** What may happen to a shop, in any order and partly at once. */
const action = fc.oneof(
  fc.record({
    do: fc.constant("submit" as const),
    at,
    method: fc.nat(1),
    behaviour: fc.constantFrom("succeed" as const, "wait" as const, ...paymentBehaviours),
  }),
  fc.record({ do: fc.constantFrom("resume" as const, "cancel" as const, "expire" as const), at }),
  fc.record({
    do: fc.constant("complete" as const),
    at,
    amount: fc.constantFrom(1000, 1000, 999),
    /** The host tells of its own money, or of money that the provider has taken. */
    names: fc.constantFrom("own" as const, "provider" as const),
    within,
  }),
  fc.record({ do: fc.constant("give_up" as const), at, within }),
  fc.record({
    do: fc.constant("refund" as const),
    at,
    amount: fc.constantFrom(100, 400, 1000),
    behaviour: fc.constantFrom("succeed" as const, ...refundBehaviours),
    within,
  }),
  fc.record({
    do: fc.constant("dispute" as const),
    at,
    result: fc.constantFrom("won" as const, "lost" as const, null),
    within,
  }),
  fc.record({
    do: fc.constantFrom("buyer_pays" as const, "provider_cancels" as const),
    at,
  }),
  fc.record({
    do: fc.constant("provider_refunds" as const),
    at,
    /** Null: all that the provider holds of a payment. */
    amount: fc.constantFrom(300, null),
  }),
  fc.record({
    do: fc.constantFrom("refund_succeeds" as const, "refund_fails" as const),
    at,
  }),
  fc.record({ do: fc.constant("message" as const), at }),
  fc.record({
    do: fc.constant("wait" as const),
    at,
    ms: fc.constantFrom(1, 60_000, 600_000, 3_600_000),
  }),
);
export type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
/** Each step is one action, or a few at the same time. */
export const story = fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 14,
});

/** Hands a message of the provider to one of the machines. */
export async function deliver(
  { provider, machines }: Stage,
  index: number,
): Promise<Awaited<ReturnType<CheckoutService["handleNotification"]>> | undefined> {
  const message = provider.messages[index % Math.max(1, provider.messages.length)];
  const machine = machines[index % 2];
  if (!message || !machine) return undefined;
  return machine.checkout.handleNotification(
    "sandbox",
    await sandboxNotification("secret", message),
  );
}

let serial = 0;

export async function act(stage: Stage, one: Action): Promise<unknown> {
  const { provider, shop, where, machines, methods, sessions } = stage;
  const storefront = machines[(one.at >> 1) % 2] ?? shop.storefront;
  const session = sessions[one.at % 2];
  if (!session) return undefined;
  const token = shop.tokenOf(session);
  const session_id: string = session.body.data.id;
  const order = (await ordersOf(shop)).find(
    (each: { checkout_session_id: string }) => each.checkout_session_id === session_id,
  );

  switch (one.do) {
    case "submit":
      return storefront.checkout.submit(token, {
        payment_method_id: methods[one.method] ?? "",
        input: { behaviour: one.behaviour },
      });
    case "resume":
      return storefront.checkout.resume(token);
    case "cancel":
      return storefront.checkout.cancel(token);
    case "expire":
      return storefront.checkout.expire(session_id, where);
    case "complete": {
      const held = provider.references(order?.id ?? "");
      const known = one.names === "provider" ? held[0] : undefined;
      // A session has one reference, so a second call tells of the same money.
      const payment = {
        ...where,
        reference: known ?? `own-${one.at % 2}`,
        status: "paid",
        amount: one.amount,
        currency: "BRL",
      } as const;
      return inTransaction(stage, one.within, (options) =>
        storefront.checkout.complete(session_id, payment, options),
      );
    }
    case "give_up":
      if (!order) return undefined;
      return inTransaction(stage, one.within, (options) =>
        storefront.orders.markFailed(order.id, where, options),
      );
    case "refund": {
      if (!order) return undefined;
      provider.behaviour.refund = one.behaviour;
      serial += 1;
      const reference = `rf-${serial}`;
      const refund = { ...where, reference, amount: one.amount };
      return inTransaction(stage, one.within, (options) =>
        storefront.orders.refund(order.id, refund, options),
      );
    }
    case "dispute": {
      if (!order) return undefined;
      serial += 1;
      const reference = `dp-${serial}`;
      await inTransaction(stage, one.within, (options) =>
        storefront.orders.openDispute(order.id, { ...where, reference }, options),
      );
      if (one.result === null) return undefined;
      return storefront.orders.closeDispute(order.id, { ...where, reference, outcome: one.result });
    }
    case "buyer_pays":
      return provider.settleOpen(one.at, "taken");
    case "provider_cancels":
      return provider.settleOpen(one.at, "canceled");
    case "provider_refunds":
      return provider.refundFrom(one.at, one.amount);
    case "refund_succeeds":
      return provider.settleRefund(one.at, "succeeded");
    case "refund_fails":
      return provider.settleRefund(one.at, "failed");
    case "message":
      return deliver(stage, one.at);
    case "wait":
      shop.advance(one.ms);
      return storefront.runMaintenance();
  }
}
