import { afterEach, describe, expect, test, vi } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { createShop } from "../support/shop.ts";

// How a run divides its time is decided above the storage: it is the same on each one.

const second = 1_000;

/** A provider that answers a look-up after some time, and counts how it was asked. */
function slowProvider(answerMs: number) {
  const provider = { paysAtOnce: false, refunds: false, starts: [] as number[], most: 0 };
  let running = 0;

  const gateway: PaymentGateway = {
    ...sandboxGateway(),
    async createPayment({ id, amount, currency }) {
      const status: PaymentResult["status"] = provider.paysAtOnce ? "succeeded" : "pending";
      return { status, reference: `ref_${id}`, amount, currency };
    },
    async getPayment({ reference }) {
      provider.starts.push(performance.now());
      running += 1;
      provider.most = Math.max(provider.most, running);
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      running -= 1;
      return { status: "pending", reference: reference ?? "", amount: 1000, currency: "BRL" };
    },
    async refund() {
      if (!provider.refunds) throw new Error("no answer");
      return { status: "succeeded", reference: "re_1" };
    },
    getRefund: async () => null,
  };
  return Object.assign(provider, { gateway });
}

describe("the time of a run of maintenance", () => {
  afterEach(() => void vi.useRealTimers());

  async function shopWith(gateway: PaymentGateway) {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const started = Date.UTC(2026, 0, 15, 12);
    let offset = 0;
    const shop = await createShop(memoryStorage(), {
      limits: { checkout: null },
      now: () => started + offset + performance.now(),
      gateways: [gateway],
    });
    const buy = async () => {
      const token = shop.tokenOf(await shop.session());
      const input = { payment_method_id: shop.a.method_id };
      return (await shop.storefront.checkout.submit(token, input)).order;
    };
    const run = async () => {
      const report = shop.storefront.runMaintenance();
      // Its code loads at the first call, in real time: the clock goes on when it is there.
      await vi.dynamicImportSettled();
      await vi.advanceTimersByTimeAsync(60 * second);
      return report;
    };
    const advance = (ms: number): void => {
      offset += ms;
    };
    return { shop, buy, run, advance };
  }

  test("800 slow look-ups do not keep a refund waiting for more than two runs", async () => {
    const provider = slowProvider(1_500);
    const { shop, buy, run, advance } = await shopWith(provider.gateway);
    for (let at = 0; at < 800; at += 1) await buy();
    provider.paysAtOnce = true;
    const { id } = await buy();
    const where = { store_id: shop.a.id, livemode: false };
    await shop.storefront.orders.refund(id, { ...where, reference: "r1" });

    provider.refunds = true;
    advance(10 * 60 * second);
    const reports = [await run(), await run()];
    expect((await shop.storefront.orders.retrieve(id, where)).status).toBe("refunded");
    for (const { more, stopped_by, jobs } of reports)
      expect({ more, stopped_by, left: jobs.payments.left }).toEqual({
        more: true,
        stopped_by: "budget",
        left: true,
      });
  });

  test("a provider account gets eight questions at once, and ten a second", async () => {
    const provider = slowProvider(100);
    const { buy, run, advance } = await shopWith(provider.gateway);
    for (let at = 0; at < 60; at += 1) await buy();
    advance(10 * 60 * second);
    const report = await run();

    expect(report).toMatchObject({ payments_checked: 60, stopped_by: "idle", more: false });
    expect(report.jobs.payments).toEqual({ done: 60, left: false });
    expect(provider.most).toBeLessThanOrEqual(8);
    for (const [index, begun] of provider.starts.entries()) {
      const tenthNext = provider.starts[index + 10];
      if (tenthNext !== undefined) expect(tenthNext - begun).toBeGreaterThanOrEqual(second);
    }
  });
});
