import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isApiError, type Storage, type WebhookEvent } from "vitrine";
import { storages } from "../support/storages.ts";
import { type Action, act, deliver, story } from "./model-actions.ts";
import { compareNumbers } from "./model-numbers.ts";
import { openStage, ordersOf, pieces, type Stage } from "./model-stage.ts";

/** `npm test` plays a few stories on each storage; MODEL_RUNS=1000 plays a thousand. */
const long = process.env["MODEL_RUNS"];
const runs: Record<string, number> = { memory: 30, sqlite: 5, postgres: 5 };
// Each run tells new stories. The name of a test has its seed: MODEL_SEED tells them again.
const seed = Number(process.env["MODEL_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const day = 86_400_000;

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
  await compareNumbers(stage);
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
  for (const { reference, kept } of provider.held(order.id)) {
    const booked = ofProvider.find(({ payment_reference }) => payment_reference === reference);
    const gone = booked?.status === "booked" ? order.amount_refunded : booked?.amount_returned;
    const inBooks = booked ? booked.amount - (gone ?? 0) : 0;
    expect({ reference, inBooks }).toEqual({ reference, inBooks: kept });
    if (booked && booked.status !== "booked")
      expect(booked.status === "returned").toBe(booked.amount_returned >= booked.amount);
  }
  for (const { payment_reference } of ofProvider)
    expect(provider.held(order.id).map(({ reference }) => reference)).toContain(payment_reference);
}

/**
 * Expects that the order's events are one path through the table of
 * docs/contract/orders.md#orders, which ends at the order's status.
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

describe.each(storages)(
  `no order of steps loses or makes money (seed ${seed}), on %s`,
  (name, open) => {
    test("events are complete and in order, and the provider's money is the books'", async () => {
      await fc.assert(
        fc.asyncProperty(story, async (steps) => play(await open(), steps)),
        { numRuns: Number(long ?? runs[name] ?? 5), seed },
      );
    }, 3_600_000);
  },
);
