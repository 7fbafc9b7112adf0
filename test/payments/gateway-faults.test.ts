import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import {
  type GatewayNotification,
  type PaymentGateway,
  type PaymentResult,
  sandboxNotification,
} from "vitrine/gateway";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const secret = "sandbox-secret";
/** A gateway that is written in JavaScript may answer anything. */
const untyped = (result: object | undefined): PaymentResult => result as PaymentResult;

describe.each(storages)("answers of a gateway that are no result, on %s", (_name, open) => {
  const shopWith = async (gateway: Partial<PaymentGateway>) =>
    createShop(await open(), {
      limits: { checkout: null },
      gateways: [{ ...sandboxGateway({ notificationSecret: secret }), ...gateway }],
    });

  test.each([
    ["a status of its own", { status: "canceled", reference: "r" }],
    ["no status", { reference: "r" }],
    ["nothing", undefined],
    ["a reference that is no text", { status: "succeeded", reference: 5n }],
    ["an id of the money that is no text", { status: "succeeded", payment_reference: {} }],
    ["an amount that is no number", { status: "succeeded", reference: "r" }, { amount: 1000n }],
    ["a fraction of a cent", { status: "succeeded", reference: "r" }, { amount: 999.5 }],
    ["a currency that is no text", { status: "pending", reference: "r" }, { currency: 986 }],
  ])(
    "%s is unknown: never paid, never failed, asked again",
    async (_words, said, more: object | undefined = {}) => {
      let later: PaymentResult["status"] | "approved" = "approved";
      const shop = await shopWith({
        createPayment: async ({ amount, currency }) =>
          untyped(said && { ...said, amount, currency, ...more }),
        getPayment: async () =>
          untyped({ status: later, reference: "r", amount: 1000, currency: "BRL" }),
      });
      const token = shop.tokenOf(await shop.session());
      const input = { payment_method_id: shop.a.method_id };
      expect(await shop.storefront.checkout.submit(token, input)).toMatchObject({
        status: "pending",
        order: { status: "pending" },
      });
      const wrong = Object.keys(more)[0] ?? Object.keys(said ?? {}).at(-1) ?? "status";
      if (said && "status" in said && said.status !== "canceled")
        expect(String(shop.errors)).toContain(wrong);
      expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "pending" });
      shop.advance(60_000);
      expect(await shop.storefront.runMaintenance()).toMatchObject({
        payments_checked: 1,
        payments_settled: 0,
      });
      later = "succeeded";
      expect(await shop.storefront.checkout.resume(token)).toMatchObject({ status: "paid" });
    },
  );

  test("a buyer is not sent to the page of a payment that is over while another one runs", async () => {
    let taken = 0;
    const shop = await shopWith({
      async createPayment({ id, amount, currency }) {
        taken += 1;
        return taken === 1
          ? {
              status: "failed",
              reference: id,
              amount,
              currency,
              next_action: { type: "redirect", url: "https://acquirer.example.com/1" },
            }
          : { status: "pending", reference: id, amount, currency };
      },
    });
    const token = shop.tokenOf(await shop.session());
    const submit = (idempotency_key: string) =>
      shop.storefront.checkout.submit(token, {
        payment_method_id: shop.a.method_id,
        idempotency_key,
      });
    expect(await submit("first")).toMatchObject({ status: "failed", redirect_url: null });
    expect(await submit("second")).toMatchObject({ status: "pending", redirect_url: null });
    expect(await submit("first")).toMatchObject({ status: "pending", redirect_url: null });
  });

  test("a notification with a status of its own is refused, so that the provider sends it again", async () => {
    const shop = await shopWith({});
    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(await shop.session()), {
      payment_method_id: shop.a.method_id,
      input: { outcome: "pending_then_succeed" },
    });
    const [attempt] = await shop.storage.orders.claimWork("attempts", {
      now: shop.now() + 1e9,
      until: shop.now() + 60_000,
      limit: 10,
    });
    const facts = {
      notification_id: "n1",
      reference: attempt?.reference ?? "",
      amount: 1000,
      currency: "BRL",
    };
    const notify = async (status: string) =>
      shop.storefront.checkout.handleNotification(
        "sandbox",
        await sandboxNotification(secret, {
          ...facts,
          type: "payment",
          ...untyped({ ...facts, status }),
        }),
      );
    expect(await thrownBy(notify("voided"))).toMatchObject({
      code: "invalid_gateway_result",
    });
    expect(await notify("succeeded")).toEqual({ outcome: "applied", order_id: order.id });
  });

  const money = { reference: "r1", payment_reference: "m1", amount: 1000, currency: "BRL" };
  const facts = {
    payment: { ...money, status: "succeeded" },
    refund: { ...money, reference: "re1", status: "succeeded" },
    dispute_opened: { ...money, reference: "dp1" },
    dispute_closed: { ...money, reference: "dp1", result: "lost" },
  };
  const demanded = {
    payment: ["status", "reference", "amount", "currency"],
    refund: ["status", "reference", "payment_reference", "amount", "currency"],
    dispute_opened: ["reference", "payment_reference", "amount"],
    dispute_closed: ["reference", "payment_reference", "result"],
  };

  test.each(Object.keys(facts) as (keyof typeof facts)[])(
    "a fact of the type %s without a field that it demands is refused by name, and changes nothing",
    async (type) => {
      let told: object[] = [];
      const errors: unknown[] = [];
      const shop = await createShop(await open(), {
        limits: { checkout: null },
        onError: (error) => void errors.push(error),
        gateways: [
          {
            ...sandboxGateway(),
            createPayment: async ({ amount }) => ({ ...money, status: "pending", amount }),
            parseNotification: async () => told as GatewayNotification[],
          },
        ],
      });
      const tell = async (...facts: object[]) => {
        told = facts;
        const body = new Uint8Array();
        const message = { livemode: false, body, header: () => undefined };
        return shop.storefront.checkout.handleNotification("sandbox", message);
      };
      const token = shop.tokenOf(await shop.session());
      const input = { payment_method_id: shop.a.method_id };
      const { order } = await shop.storefront.checkout.submit(token, input);
      const paid = { ...facts.payment, type: "payment", notification_id: "paid" };
      if (type !== "payment") await tell(paid);
      const where = { store_id: shop.a.id, livemode: false };
      const before = await shop.storefront.orders.retrieve(order.id, where);

      for (const field of ["notification_id", ...demanded[type]])
        for (const wrong of [undefined, null, "", 1.5, {}]) {
          const fact = { ...facts[type], type, notification_id: "wrong", [field]: wrong };
          const error = await thrownBy(tell(fact));
          expect(error, field).toMatchObject({ code: "invalid_gateway_result" });
          expect((error as Error).message).toContain(`told of a ${type} whose ${field} is not`);
        }
      expect(await shop.storefront.orders.retrieve(order.id, where)).toEqual(before);

      // A good fact beside a bad one counts, and the bad one is told of.
      const lacking = { ...facts[type], type };
      const nothing = null as unknown as object;
      expect(await thrownBy(tell(nothing, lacking, paid, lacking))).toMatchObject({
        code: "invalid_gateway_result",
        message: expect.stringContaining("told of a fact whose notification_id is not"),
      });
      expect(String(errors)).toContain(`told of a ${type} whose notification_id is not`);
      expect((await shop.storefront.orders.retrieve(order.id, where)).status).toBe("paid");
    },
  );

  test("a field that holds nothing costs neither the payment nor its message", async () => {
    const nothing = {
      ...{ next_action: null, expires_at: null, also_received: null, saved_method: null },
      ...{ decline_code: null, failure_code: null, fee: null },
    };
    const paid = { ...nothing, status: "succeeded", reference: "r", amount: 1000, currency: "BRL" };
    const told = { ...paid, type: "payment", notification_id: "n1", reference: "r2" };
    let answer: object = paid;
    const shop = await shopWith({
      createPayment: async () => untyped(answer),
      parseNotification: async () => [told] as unknown as GatewayNotification[],
    });
    const submit = async () =>
      shop.storefront.checkout.submit(shop.tokenOf(await shop.session()), {
        payment_method_id: shop.a.method_id,
      });
    expect(await submit()).toMatchObject({ status: "paid" });
    for (const field of Object.keys(nothing)) expect(String(shop.errors)).toContain(field);

    answer = { ...paid, status: "pending", reference: "r2" };
    expect(await submit()).toMatchObject({ status: "pending" });
    const message = { livemode: false, body: new Uint8Array(), header: () => undefined };
    expect(await shop.storefront.checkout.handleNotification("sandbox", message)).toMatchObject({
      outcome: "applied",
    });
  });

  test("a fact of a type of its own is refused", async () => {
    const told = { ...money, type: "chargeback", notification_id: "n1" };
    const shop = await shopWith({
      parseNotification: async () => [told] as unknown as GatewayNotification[],
    });
    const message = { livemode: false, body: new Uint8Array(), header: () => undefined };
    const refused = thrownBy(shop.storefront.checkout.handleNotification("sandbox", message));
    expect(await refused).toMatchObject({ code: "invalid_gateway_result" });
  });

  test.each([null, undefined, {}, "paid", 5])(
    "a message that is read as %j is refused",
    async (told) => {
      const shop = await shopWith({
        parseNotification: async () => told as unknown as GatewayNotification[],
      });
      const message = { livemode: false, body: new Uint8Array(), header: () => undefined };
      const refused = thrownBy(shop.storefront.checkout.handleNotification("sandbox", message));
      expect(await refused).toMatchObject({
        code: "invalid_gateway_result",
        message: "Gateway sandbox gave no list of facts.",
      });
    },
  );

  test("a refund whose answer is no result keeps its reserve", async () => {
    let status = "processing";
    const shop = await shopWith({
      refund: async () => ({ status: status as "pending", reference: null }),
    });
    const order = await shop.buy();
    const refund = { store_id: shop.a.id, livemode: false, reference: "r1" };
    expect(await shop.storefront.orders.refund(order.id, refund)).toMatchObject({
      status: "pending",
    });
    expect(
      await thrownBy(shop.storefront.orders.refund(order.id, { ...refund, reference: "r2" })),
    ).toMatchObject({
      code: "refund_exceeds_balance",
    });
    status = "succeeded";
    // The same call starts nothing while the first one has no result: maintenance asks the gateway.
    expect(await shop.storefront.orders.refund(order.id, refund)).toMatchObject({
      status: "pending",
    });
    shop.advance(60_000);
    await shop.storefront.runMaintenance();
    expect(await shop.storefront.orders.refund(order.id, refund)).toMatchObject({
      status: "succeeded",
      amount: 1000,
    });
  });

  test("a payment of a wrong amount is asked about every ten minutes, not at each maintenance", async () => {
    let asked = 0;
    const shop = await shopWith({
      async getPayment() {
        asked += 1;
        return { status: "succeeded", reference: "r", amount: 1, currency: "BRL" };
      },
    });
    const input = {
      payment_method_id: shop.a.method_id,
      input: { outcome: "pending_then_succeed" },
    };
    await shop.storefront.checkout.submit(shop.tokenOf(await shop.session()), input);
    const runs: number[] = [];
    for (const minutes of [11, 1, 1, 10]) {
      shop.advance(minutes * 60_000);
      await shop.storefront.runMaintenance();
      runs.push(asked);
    }
    expect(runs).toEqual([1, 1, 1, 2]);
  });
});
