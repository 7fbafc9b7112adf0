import { describe, expect, test } from "vitest";
import { memoryStorage, type Storage, sandboxGateway } from "vitrine";
import type { StepSubject } from "../../src/storage/step-store.ts";
import { createShop } from "../support/shop.ts";

// How a run goes on after a fault is decided above the storage: it is the same on each one.

const day = 86_400_000;
const hour = 3_600_000;

type Step = (...args: never[]) => Promise<unknown>;

/** A storage of which one method fails as often as the test says; it keeps the arguments. */
function faultyStorage() {
  const storage = memoryStorage();
  const faults = new Map<string, number>();
  const given: Record<string, unknown[][]> = {};

  const wrap = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        if (typeof method !== "function") return method;
        return async (...args: never[]) => {
          const key = name === "step" ? (args[0] as unknown as StepSubject).step : String(name);
          given[key] = [...(given[key] ?? []), args];
          const left = faults.get(key) ?? 0;
          if (left > 0) {
            faults.set(key, left - 1);
            throw new Error(`${key} failed`);
          }
          return (method as Step).apply(target, args);
        };
      },
    });

  const wrapped: Storage = {
    ...storage,
    orders: wrap(storage.orders),
    webhooks: wrap(storage.webhooks),
  };
  return { storage: wrapped, faults, given };
}

async function setUp() {
  const { storage, faults, given } = faultyStorage();
  const shop = await createShop(storage, {
    limits: { checkout: null },
    gateways: [sandboxGateway()],
  });
  const submit = async (outcome: string) => {
    const token = shop.tokenOf(await shop.session());
    return shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
      input: { outcome },
    });
  };
  const failedSteps = () => shop.errors.map((error) => (error as Error).message);
  return { shop, faults, given, submit, failedSteps };
}

describe("a row that fails is reported and costs no other row", () => {
  test("of the orders that expire: the next run has it again", async () => {
    const { shop, faults, submit, failedSteps } = await setUp();
    for (let turn = 0; turn < 3; turn += 1) await submit("pending_then_fail");

    shop.advance(4 * day);
    faults.set("applyPayment", 1);
    const first = await shop.storefront.runMaintenance();
    expect(failedSteps()).toEqual(["applyPayment failed"]);
    expect(first).toMatchObject({ payments_checked: 3, payments_settled: 2 });

    shop.advance(hour);
    const second = await shop.storefront.runMaintenance();
    expect(second).toMatchObject({ payments_checked: 1, payments_settled: 1, stopped_by: "idle" });
  });

  test("of the subscriptions that end", async () => {
    const { shop, faults, failedSteps } = await setUp();
    const product = await shop.owner.products.create(shop.a.id, {
      name: "Monthly",
      price: 1_000,
      currency: "BRL",
      recurring: { interval: "month", interval_count: 1 },
    });
    const method = await shop.owner.paymentMethods.create(shop.a.id, {
      type: "card",
      name: "Recurring",
      currencies: ["BRL"],
      gateway: "sandbox",
      supports_recurring: true,
    });
    const where = { store_id: shop.a.id, livemode: false };
    for (let turn = 0; turn < 2; turn += 1) {
      const items = [{ product_id: product.id, quantity: 1 }];
      const order = await shop.buy({ items }, {}, { payment_method_id: method.id });
      await shop.storefront.subscriptions.cancel(order.subscription_id ?? "", where);
    }

    shop.advance(32 * day);
    faults.set("cancelSubscription", 1);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ subscriptions_ended: 1 });
    expect(failedSteps()).toEqual(["cancelSubscription failed"]);
    expect(await shop.storefront.runMaintenance()).toMatchObject({ subscriptions_ended: 1 });
  });
});

test("old events are emptied after thirty days and forgotten after four hundred", async () => {
  const { shop, given } = await setUp();
  await shop.buy();
  await shop.storefront.runMaintenance();
  expect(given["prune"]?.[0]?.[0]).toMatchObject({
    before: shop.now() - 30 * day,
    forget_before: shop.now() - 400 * day,
  });
});

test("work is leased for ten minutes, and questions of gateways for three", async () => {
  const { shop, given } = await setUp();
  await shop.storefront.runMaintenance();
  const untilOf = (kind: string): number => {
    const [, work] = given["claimWork"]?.find(([claimed]) => claimed === kind) ?? [];
    const { now, until } = work as { now: number; until: number };
    return (until - now) / 60_000;
  };
  expect(untilOf("orders")).toBe(10);
  for (const step of ["refunds", "payments", "attempts"])
    expect([step, untilOf(step)]).toEqual([step, 3]);
});

test("a run that is aborted says so, and leaves its rows to the next", async () => {
  const { shop, submit } = await setUp();
  await submit("pending_then_fail");
  shop.advance(4 * day);
  const report = await shop.storefront.runMaintenance({ signal: AbortSignal.abort() });
  expect(report).toMatchObject({ stopped_by: "aborted", more: true, payments_checked: 0 });
  expect(await shop.storefront.runMaintenance()).toMatchObject({ payments_checked: 1 });
});
