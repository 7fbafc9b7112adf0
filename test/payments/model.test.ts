import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isApiError,
  type PaymentGateway,
  type Storage,
  sandboxGateway,
  sandboxOutcomes,
  type WebhookEvent,
} from "vitrine";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const runs: Record<string, number> = { memory: 150, sqlite: 60, postgres: 12 };
const pieces = 3;

/** What may happen to a shop, in any order and partly at once. `at` picks a session or an order. */
const action = fc.oneof(
  fc.record({
    do: fc.constant("submit" as const),
    at: fc.nat(1),
    outcome: fc.constantFrom("succeed" as const, ...sandboxOutcomes),
  }),
  fc.record({ do: fc.constant("resume" as const), at: fc.nat(1) }),
  fc.record({ do: fc.constant("cancel" as const), at: fc.nat(1) }),
  fc.record({ do: fc.constant("expire" as const), at: fc.nat(1) }),
  fc.record({
    do: fc.constant("complete" as const),
    at: fc.nat(1),
    amount: fc.constantFrom(1000, 1000, 999),
  }),
  fc.record({
    do: fc.constant("refund" as const),
    at: fc.nat(1),
    amount: fc.constantFrom(100, 400, 1000),
  }),
  fc.record({
    do: fc.constant("dispute" as const),
    at: fc.nat(1),
    result: fc.constantFrom("won" as const, "lost" as const, null),
  }),
  fc.record({
    do: fc.constant("wait" as const),
    ms: fc.constantFrom(1, 60_000, 600_000, 3_600_000),
  }),
);
type Action = typeof action extends fc.Arbitrary<infer A> ? A : never;
/** Each step is one action, or a few at the same time. */
const story = fc.array(fc.array(action, { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 14,
});

/** The provider's own books: what it took and gave back, by the ids of its requests. */
function bookkeeping() {
  const taken = new Map<string, number>();
  const returned = new Map<string, number>();
  const sandbox = sandboxGateway();
  const note = <R extends { readonly status: string; readonly amount: number } | null>(
    id: string,
    result: R,
  ): R => {
    if (result?.status === "succeeded") taken.set(id, result.amount);
    return result;
  };
  const gateway: PaymentGateway = {
    ...sandbox,
    returnDuplicates: true,
    createPayment: async (request) => note(request.id, await sandbox.createPayment(request)),
    getPayment: async (query) => note(query.id, (await sandbox.getPayment?.(query)) ?? null),
    async refund({ id, amount }) {
      returned.set(id, amount);
      return { status: "succeeded", reference: `re_${id}` };
    },
  };
  const sum = (amounts: ReadonlyMap<string, number>): number =>
    [...amounts.values()].reduce((total, amount) => total + amount, 0);
  return { gateway, held: () => sum(taken) - sum(returned) };
}

async function play(storage: Storage, steps: readonly (readonly Action[])[]): Promise<void> {
  const books = bookkeeping();
  const shop = await createShop(storage, { limits: { checkout: null }, gateways: [books.gateway] });
  const { storefront } = shop;
  const where = { store_id: shop.a.id, livemode: false };
  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: pieces });
  await shop.owner.endpoints.create({ ...where, url: "https://hooks.example.com/x" });
  const sessions = [await shop.session(), await shop.session()];
  let own = 0; // money that the host's own code took
  let serial = 0;
  const orders = async () =>
    (await shop.get("/orders?limit=100", { key: shop.a.test.sec })).body.data;

  const act = async (one: Action): Promise<unknown> => {
    if (one.do === "wait") {
      shop.advance(one.ms);
      return storefront.runMaintenance();
    }
    const session = sessions[one.at];
    if (!session) return;
    const token = shop.tokenOf(session);
    const session_id = session.body.data.id;
    const order = (await orders()).find(
      (each: { checkout_session_id: string }) => each.checkout_session_id === session_id,
    );
    switch (one.do) {
      case "submit":
        return storefront.checkout.submit(token, {
          payment_method_id: shop.a.method_id,
          input: { outcome: one.outcome },
        });
      case "resume":
        return storefront.checkout.resume(token);
      case "cancel":
        return storefront.checkout.cancel(token);
      case "expire":
        return storefront.checkout.expire(session_id, where);
      case "complete":
        // A session has one reference, so a second call tells of the same money.
        await storefront.checkout.complete(session_id, {
          ...where,
          reference: `own-${one.at}`,
          status: "paid",
          amount: one.amount,
          currency: "BRL",
        });
        return;
      case "refund":
        return (
          order &&
          storefront.orders.refund(order.id, {
            ...where,
            reference: `rf-${++serial}`,
            amount: one.amount,
          })
        );
      case "dispute": {
        if (!order) return;
        const reference = `dp-${++serial}`;
        await storefront.orders.openDispute(order.id, { ...where, reference });
        if (one.result)
          await storefront.orders.closeDispute(order.id, {
            ...where,
            reference,
            outcome: one.result,
          });
      }
    }
  };

  for (const step of steps) {
    const results = await Promise.allSettled(step.map(act));
    for (const result of results)
      if (result.status === "rejected" && !isApiError(result.reason)) throw result.reason;
  }
  // Time passes, and maintenance settles what is open.
  for (let round = 0; round < 4; round++) {
    shop.advance(3_600_000);
    await storefront.runMaintenance();
  }
  const all = await orders();
  const events: WebhookEvent[] = (await shop.get("/events?limit=100", { key: shop.a.test.sec }))
    .body.data;
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  let kept = 0;
  let sold = 0;
  for (const order of all) {
    const told = events.filter(
      (event) =>
        "order" in event.data &&
        event.data.order?.id === order.id &&
        event.type.startsWith("order."),
    );
    kept += judge(order, told);
    if (order.paid_at !== null) sold += 1;
  }
  // The host took money for these orders, which is not in the provider's books.
  for (const session of sessions) {
    const found = await storage.orders.findCheckout(where, session.body.data.id);
    for (const payment of found?.order ? await hostPayments(storage, found.order.id) : [])
      if (payment.state === "succeeded") own += 1000 - (found?.order?.amount_refunded ?? 0);
  }
  expect(kept).toBe(books.held() + own);
  const [left] = (await storage.checkout.loadCart(where, [shop.product.id], null)).products;
  expect(left?.on_hand).toBe(pieces - sold);
  expect(await storage.webhooks.listDeliveries({ ...where, limit: 200 })).toHaveLength(
    events.length,
  );
}

/**
 * Expects that the order's events are one path through the table of docs/contract.md#orders, which
 * ends at the order's status. Gives the money that stays with the order.
 */
function judge(
  order: { status: string; amount_total: number; amount_refunded: number; paid_at: string | null },
  told: WebhookEvent[],
): number {
  const allowed: Record<string, readonly string[]> = {
    "order.created": [""],
    "order.failed": ["pending"],
    "order.paid": ["pending", "failed"],
    "order.refunded": ["paid", "partially_refunded", "chargeback"],
    "order.chargeback": ["paid", "partially_refunded", "refunded", "chargeback"],
  };
  let refunded = 0;
  for (const [index, event] of told.entries()) {
    const { previous_status, order: then } = event.data as {
      previous_status: string | null;
      order: typeof order;
    };
    expect(allowed[event.type]).toContain(previous_status ?? "");
    expect(event.type === "order.created").toBe(index === 0);
    if (event.type === "order.refunded") refunded += event.data.refund.amount;
    expect(then.amount_refunded).toBe(refunded);
  }
  expect(told.filter(({ type }) => type === "order.created")).toHaveLength(1);
  expect(told.filter(({ type }) => type === "order.paid")).toHaveLength(
    order.paid_at === null ? 0 : 1,
  );
  expect(order.amount_refunded).toBe(refunded);
  expect(refunded).toBeLessThanOrEqual(order.amount_total);
  expect(order.status).not.toBe("pending"); // time has settled it
  return order.paid_at === null ? 0 : order.amount_total - refunded;
}

/** The host's payments of an order, by the references that the actions give. */
async function hostPayments(storage: Storage, order_id: string) {
  const found = await storage.orders.findAttempts({
    gateway: "host",
    livemode: false,
    account: null,
    references: ["own-0", "own-1"],
    payment_id: null,
  });
  return found.filter((attempt) => attempt.order_id === order_id);
}

describe.each(storages)("no order of steps loses or makes money, on %s", (name, open) => {
  test("events are complete and in order, stock and the provider's books agree with the orders", async () => {
    await fc.assert(
      fc.asyncProperty(story, async (steps) => play(await open(), steps)),
      { numRuns: runs[name] ?? 10 },
    );
  });
});
