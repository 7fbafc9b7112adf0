import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CheckoutService,
  isApiError,
  type Storage,
  sandboxNotification,
  type WebhookEvent,
} from "vitrine";
import { modelProvider, paymentBehaviours, refundBehaviours } from "../support/model-provider.ts";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

/** `npm test` plays a few stories on each storage; MODEL_RUNS=1000 plays a thousand. */
const long = process.env["MODEL_RUNS"];
const runs: Record<string, number> = { memory: 30, sqlite: 5, postgres: 5 };
// `npm test` tells the same stories each time. The long form draws new ones and prints its seed.
const seed = process.env["MODEL_SEED"] ?? (long ? undefined : "1");
const pieces = 3;
const day = 86_400_000;

const at = fc.nat(7);
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
  }),
  fc.record({ do: fc.constant("give_up" as const), at }),
  fc.record({
    do: fc.constant("refund" as const),
    at,
    amount: fc.constantFrom(100, 400, 1000),
    behaviour: fc.constantFrom("succeed" as const, ...refundBehaviours),
  }),
  fc.record({
    do: fc.constant("dispute" as const),
    at,
    result: fc.constantFrom("won" as const, "lost" as const, null),
  }),
  fc.record({
    do: fc.constantFrom("buyer_pays" as const, "provider_cancels" as const),
    at,
  }),
  fc.record({
    do: fc.constantFrom(
      "provider_refunds" as const,
      "refund_succeeds" as const,
      "refund_fails" as const,
    ),
    at,
  }),
  fc.record({ do: fc.constant("message" as const), at }),
  fc.record({
    do: fc.constant("wait" as const),
    at,
    ms: fc.constantFrom(1, 60_000, 600_000, 3_600_000),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
/** Each step is one action, or a few at the same time. */
const story = fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 14,
});

/** Two machines of one shop, whose clocks are two seconds apart, and the provider. */
async function openStage(storage: Storage) {
  const provider = modelProvider();
  const gateways = [provider.gateway];
  const shop = await createShop(storage, { limits: { checkout: null }, gateways });
  const behind = { gateways, now: () => shop.now() - 2_000 };
  const other = await createShop(storage, behind);
  const where = { store_id: shop.a.id, livemode: false };

  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: pieces });
  const card = await shop.owner.paymentMethods.create(shop.a.id, {
    type: "card",
    name: "Card",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  return {
    provider,
    shop,
    where,
    machines: [shop.storefront, other.storefront],
    methods: [shop.a.method_id, card.id],
    sessions: [await shop.session(), await shop.session()],
  };
}

type Stage = Awaited<ReturnType<typeof openStage>>;

const ordersOf = async (shop: Shop) =>
  (await shop.get("/orders?limit=100", { key: shop.a.test.sec })).body.data;

/** Hands a message of the provider to one of the machines. */
async function deliver(
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

async function act(stage: Stage, one: Action): Promise<unknown> {
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
      return storefront.checkout.complete(session_id, {
        ...where,
        reference: known ?? `own-${one.at % 2}`,
        status: "paid",
        amount: one.amount,
        currency: "BRL",
      });
    }
    case "give_up":
      return order && storefront.orders.markFailed(order.id, where);
    case "refund": {
      if (!order) return undefined;
      provider.behaviour.refund = one.behaviour;
      serial += 1;
      const reference = `rf-${serial}`;
      return storefront.orders.refund(order.id, { ...where, reference, amount: one.amount });
    }
    case "dispute": {
      if (!order) return undefined;
      serial += 1;
      const reference = `dp-${serial}`;
      await storefront.orders.openDispute(order.id, { ...where, reference });
      if (one.result === null) return undefined;
      return storefront.orders.closeDispute(order.id, { ...where, reference, outcome: one.result });
    }
    case "buyer_pays":
      return provider.settleOpen(one.at, "taken");
    case "provider_cancels":
      return provider.settleOpen(one.at, "canceled");
    case "provider_refunds":
      return provider.refundAll(one.at);
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

/** Time passes, and everything that is open comes to its end. */
async function settle(stage: Stage): Promise<void> {
  const { provider, shop, machines } = stage;
  provider.behaviour.refund = "succeed";
  provider.settleEverything();
  for (let index = 0; index < provider.messages.length; index += 1) await deliver(stage, index);

  for (const wait of [60_000, 600_000, 3_600_000, 3_600_000, 3_600_000, day, day]) {
    shop.advance(wait);
    await Promise.all(machines.map((machine) => machine.runMaintenance()));
  }
  for (let index = 0; index < provider.messages.length; index += 1) await deliver(stage, index);
}

async function play(storage: Storage, steps: readonly (readonly Action[])[]): Promise<void> {
  const stage = await openStage(storage);
  for (const step of steps) {
    const results = await Promise.allSettled(step.map((one) => act(stage, one)));
    for (const result of results)
      if (result.status === "rejected" && !isApiError(result.reason)) throw result.reason;
  }
  await settle(stage);

  const { shop, where } = stage;
  const orders = await ordersOf(shop);
  const events: WebhookEvent[] = (await shop.get("/events?limit=100", { key: shop.a.test.sec }))
    .body.data;
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));

  let sold = 0;
  for (const order of orders) {
    judge(
      order,
      events.filter(
        (event) =>
          "order" in event.data &&
          event.data.order?.id === order.id &&
          event.type.startsWith("order."),
      ),
    );
    if (order.paid_at !== null) sold += 1;
    await compareBooks(stage, order);
  }

  const [left] = (await storage.checkout.loadCart(where, [shop.product.id], null)).products;
  expect(left?.on_hand).toBe(pieces - sold);
}

/** The provider's money of an order is what the books say of it, payment by payment. */
async function compareBooks(
  { provider, shop, where }: Stage,
  order: { readonly id: string; readonly amount_refunded: number; readonly paid_at: string | null },
): Promise<void> {
  const payments = await shop.storefront.orders.listPayments(order.id, where);
  const refunds = (await shop.storefront.refunds.list({ ...where, order_id: order.id })).data;
  expect(refunds.filter(({ status }) => status === "pending")).toEqual([]);

  const ofProvider = payments.filter(({ gateway }) => gateway === "sandbox");
  for (const { reference, taken, kept } of provider.held(order.id)) {
    const booked = ofProvider.find(({ payment_reference }) => payment_reference === reference);
    // Money of a wrong amount pays no order: the owner was told of it.
    if (!booked && taken !== 1000 && order.paid_at === null) continue;

    const gone = booked?.status === "booked" ? order.amount_refunded : 0;
    const inBooks = booked && booked.status !== "returned" ? booked.amount - gone : 0;
    expect({ reference, inBooks }).toEqual({ reference, inBooks: kept });
  }
  for (const { payment_reference } of ofProvider)
    expect(provider.held(order.id).map(({ reference }) => reference)).toContain(payment_reference);
}

/**
 * Expects that the order's events are one path through the table of docs/contract.md#orders, which
 * ends at the order's status.
 */
function judge(
  order: { status: string; amount_total: number; amount_refunded: number; paid_at: string | null },
  told: readonly WebhookEvent[],
): void {
  const allowed: Partial<Record<WebhookEvent["type"], readonly string[]>> = {
    "order.created": [""],
    "order.failed": ["pending"],
    "order.paid": ["pending", "failed"],
    "order.chargeback": ["paid", "partially_refunded", "refunded", "chargeback"],
  };
  const refunds = new Map<string, number>();
  for (const [index, event] of told.entries()) {
    const { previous_status, order: then } = event.data as {
      previous_status: string | null;
      order: typeof order;
    };
    const before = allowed[event.type];
    if (before) expect(before).toContain(previous_status ?? "");
    expect(event.type === "order.created").toBe(index === 0);
    if (event.type === "order.refunded")
      refunds.set(event.data.refund.id, event.data.refund.amount);
    if (event.type === "order.refund_failed") refunds.delete(event.data.refund.id);
    expect(then.amount_refunded).toBe(sumOf(refunds));
  }
  expect(told.filter(({ type }) => type === "order.created")).toHaveLength(1);
  const paid = told.filter(({ type }) => type === "order.paid");
  expect(paid).toHaveLength(order.paid_at === null ? 0 : 1);
  expect(order.amount_refunded).toBe(sumOf(refunds));
  expect(order.amount_refunded).toBeLessThanOrEqual(order.amount_total);
  expect(order.status).not.toBe("pending"); // time has settled it
}

const sumOf = (amounts: ReadonlyMap<string, number>): number =>
  [...amounts.values()].reduce((total, amount) => total + amount, 0);

describe.each(storages)("no order of steps loses or makes money, on %s", (name, open) => {
  test("events are complete and in order, and the provider's money is the books'", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => play(await open(), steps)),
      { numRuns: Number(long ?? runs[name] ?? 5), ...(seed && { seed: Number(seed) }) },
    );
  }, 3_600_000);
});
