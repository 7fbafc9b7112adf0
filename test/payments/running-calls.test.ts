import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage, type PaymentGateway, type PaymentResult, sandboxGateway } from "vitrine";
import { createShop } from "../support/shop.ts";

// The limits of 30 s and 120 s are timers above the storage: they are the same on each one.

const result = { status: "succeeded", reference: "r1", amount: 1000, currency: "BRL" } as const;

/** A gateway whose answer comes when the test says so. */
function slowGateway() {
  const signals: AbortSignal[] = [];
  let answer: (payment: PaymentResult) => void = () => {};
  let refuse: (error: Error) => void = () => {};
  const gateway: PaymentGateway = {
    ...sandboxGateway(),
    createPayment: ({ signal }) =>
      new Promise((resolve, reject) => {
        signals.push(signal);
        answer = resolve;
        refuse = reject;
      }),
  };
  return {
    gateway,
    signals,
    answer: (payment: PaymentResult) => answer(payment),
    refuse: (error: Error) => refuse(error),
  };
}

describe("a gateway that answers late", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  async function submitted() {
    const slow = slowGateway();
    const shop = await createShop(memoryStorage(), {
      limits: { checkout: null },
      gateways: [slow.gateway],
    });
    const token = shop.tokenOf(await shop.session());
    const submit = shop.storefront.checkout.submit(token, { payment_method_id: shop.a.method_id });
    await vi.waitFor(() => expect(slow.signals).toHaveLength(1));
    const status = async (): Promise<string | undefined> =>
      (await shop.storefront.checkout.view(token)).order?.status;
    return { ...slow, shop, submit, status };
  }

  test("the caller waits for 30 s, and an answer that comes afterwards still counts", async () => {
    const { answer, signals, shop, submit, status } = await submitted();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await submit).toMatchObject({ status: "pending" });
    expect(signals[0]?.aborted).toBe(false);

    await vi.advanceTimersByTimeAsync(60_000);
    answer(result);
    await vi.waitFor(async () => expect(await status()).toBe("paid"));
    expect(shop.errors).toHaveLength(1);
  });

  test("the signal aborts after 120 s, and the answer of an aborted call is ignored", async () => {
    const { answer, signals, submit, status } = await submitted();
    await vi.advanceTimersByTimeAsync(119_000);
    expect(signals[0]?.aborted).toBe(false);

    await vi.advanceTimersByTimeAsync(1_000);
    expect(signals[0]?.aborted).toBe(true);
    answer(result);
    await submit;
    expect(await status()).toBe("pending");
  });

  test("close waits until a late answer is written", async () => {
    const { answer, shop, submit, status } = await submitted();
    await vi.advanceTimersByTimeAsync(30_000);
    await submit;

    let isClosed = false;
    const closing = shop.storefront.close().then(() => {
      isClosed = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isClosed).toBe(false);

    answer(result);
    await closing;
    expect(await status()).toBe("paid");
  });

  test("close does not wait for a gateway that has failed", async () => {
    const { refuse, shop, submit } = await submitted();
    await vi.advanceTimersByTimeAsync(30_000);
    await submit;
    refuse(new Error("connection reset"));
    await shop.storefront.close();
    expect(shop.errors).toHaveLength(2);
  });
});
