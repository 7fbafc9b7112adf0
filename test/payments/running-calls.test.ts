import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";
import { patience } from "../support/patience.ts";
import { createShop } from "../support/shop.ts";

type RefundResult = Awaited<ReturnType<NonNullable<PaymentGateway["refund"]>>>;

// The limits of 30 s and 120 s are timers above the storage: they are the same on each one.

const result = { status: "succeeded", reference: "r1", amount: 1000, currency: "BRL" } as const;

/** A loaded machine takes its time to load a service that is called for the first time. */
const until = (check: () => void | Promise<void>): Promise<void> => vi.waitFor(check, patience);

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
    await until(() => expect(slow.signals).toHaveLength(1));
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
    await until(async () => expect(await status()).toBe("paid"));
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

describe("a gateway that answers late about money on its way back", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  const refunded = { status: "succeeded", reference: "re_1" } as const;

  /** A shop whose gateway answers as the test says about refunds, and a pending payment. */
  async function pending() {
    const answers: ((refund: RefundResult) => void)[] = [];
    const slow = (): Promise<RefundResult> =>
      new Promise((resolve) => {
        answers.push(resolve);
      });
    const script = { refund: slow as () => Promise<RefundResult> };
    const gateway: PaymentGateway = {
      ...sandboxGateway(),
      createPayment: async () => ({ ...result, status: "pending" }),
      getPayment: async () => result,
      refund: () => script.refund(),
      getRefund: slow,
    };
    const shop = await createShop(memoryStorage(), { gateways: [gateway] });
    const where = { store_id: shop.a.id, livemode: false };

    const session = await shop.session();
    const token = shop.tokenOf(session);
    const choice = { payment_method_id: shop.a.method_id };
    const order_id = (await shop.storefront.checkout.submit(token, choice)).order?.id ?? "";
    return { shop, where, answers, script, order_id, token, session_id: session.body.data.id };
  }

  test("the answer to a creation and to a question about a refund is written", async () => {
    const { shop, where, answers, script, order_id, token } = await pending();
    await shop.storefront.checkout.resume(token);
    const refund = (reference: string) =>
      shop.storefront.orders.refund(order_id, { ...where, reference, amount: 100 });
    const statuses = async () =>
      (await shop.storefront.refunds.list({ ...where, order_id })).data.map(({ status }) => status);

    const created = refund("r1");
    await until(() => expect(answers).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await created).status).toBe("pending");
    answers[0]?.(refunded);
    await until(async () => expect(await statuses()).toEqual(["succeeded"]));

    // The list has the newest first, so the second one is made a moment later.
    shop.advance(1);
    script.refund = () => Promise.reject(new Error("connection reset"));
    await refund("r2");
    shop.advance(60_000);
    const run = shop.storefront.runMaintenance();
    await until(() => expect(answers).toHaveLength(2));
    await vi.advanceTimersByTimeAsync(30_000);
    await run;
    expect(await statuses()).toEqual(["pending", "succeeded"]);
    answers[1]?.({ ...refunded, reference: "re_2" });
    await until(async () => expect(await statuses()).toEqual(["succeeded", "succeeded"]));
  });

  test("the answer to a return is written", async () => {
    const { shop, where, answers, order_id, session_id } = await pending();
    const own = { reference: "own", status: "paid", amount: 1000, currency: "BRL" } as const;
    await shop.storefront.checkout.complete(session_id, { ...where, ...own });
    await shop.storefront.runMaintenance();
    const payments = () => shop.storefront.orders.listPayments(order_id, where);
    const duplicate = (await payments()).find(({ status }) => status === "duplicate");

    const returned = shop.storefront.orders.returnPayment(duplicate?.id ?? "", where);
    await until(() => expect(answers).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await returned).status).toBe("returning");

    answers[0]?.(refunded);
    await until(async () =>
      expect((await payments()).map(({ status }) => status)).toContain("returned"),
    );
  });
});
