import { beforeEach, describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import { sandboxNotification } from "vitrine/gateway";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const secret = "sandbox-secret";

describe.each(storages)("refunds, disputes, reconciliation and expiry, on %s", (_name, open) => {
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  beforeEach(async () => {
    shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [sandboxGateway({ notificationSecret: secret })],
    });
    where = { store_id: shop.a.id, livemode: false };
  });
  const submit = async (made: Awaited<ReturnType<Shop["session"]>>, outcome: string) =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome },
    });
  const buy = async (outcome = "succeed") => (await submit(await shop.session(), outcome)).order;
  const listed = async () =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data;
  const types = async (): Promise<string[]> =>
    (await listed()).map((event: { type: string }) => event.type);
  describe("refunds", () => {
    test("a part and then the rest make the order partially_refunded and refunded, each with one order.refunded that shows the refund", async () => {
      const order = await buy();
      const first = await shop.storefront.orders.refund(order.id, {
        ...where,
        reference: "r1",
        amount: 400,
        reason: "broken",
      });
      expect(first).toMatchObject({
        status: "succeeded",
        amount: 400,
        order: { status: "partially_refunded", amount_refunded: 400 },
      });
      const rest = await shop.storefront.orders.refund(order.id, { ...where, reference: "r2" });
      expect(rest).toMatchObject({
        amount: 600,
        order: { status: "refunded", amount_refunded: 1000 },
      });
      const refunds = (await listed()).filter(
        (event: { type: string }) => event.type === "order.refunded",
      );
      expect(refunds.map((event: { data: object }) => event.data)).toMatchObject([
        {
          previous_status: "paid",
          refund: { id: first.id, amount: 400, reason: "broken" },
          order: { status: "partially_refunded" },
        },
        {
          previous_status: "partially_refunded",
          refund: { id: rest.id, amount: 600, reason: null },
          order: { status: "refunded" },
        },
      ]);
    });

    test("a reference that is used twice moves the money once; with another amount it is a conflict", async () => {
      const order = await buy();
      const told = { ...where, reference: "r1", amount: 400 };
      const results = await Promise.all(
        Array.from({ length: 10 }, () => shop.storefront.orders.refund(order.id, told)),
      );
      expect(new Set(results.map(({ id }) => id)).size).toBe(1);
      expect((await shop.storefront.orders.retrieve(order.id, where)).amount_refunded).toBe(400);
      expect(
        await thrownBy(shop.storefront.orders.refund(order.id, { ...told, amount: 401 })),
      ).toMatchObject({
        code: "parameter_conflict",
        param: "reference",
      });
    });

    test("nobody can refund more than is left, even when twenty ask at once", async () => {
      const order = await buy();
      expect(
        await thrownBy(
          shop.storefront.orders.refund(order.id, { ...where, reference: "r", amount: 1001 }),
        ),
      ).toMatchObject({
        code: "refund_exceeds_balance",
        param: "amount",
      });
      const asked = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          shop.storefront.orders.refund(order.id, {
            ...where,
            reference: `r${index}`,
            amount: 300,
          }),
        ),
      );
      expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      expect((await shop.storefront.orders.retrieve(order.id, where)).amount_refunded).toBe(900);
    });

    test("an unpaid order, another store's, another mode's and an unknown one are refused", async () => {
      const failed = await buy("decline");
      expect(
        await thrownBy(shop.storefront.orders.refund(failed.id, { ...where, reference: "r" })),
      ).toMatchObject({
        code: "invalid_transition",
      });
      const order = await buy();
      for (const other of [
        { ...where, livemode: true },
        { ...where, store_id: shop.b.id },
      ])
        expect(
          await thrownBy(shop.storefront.orders.refund(order.id, { ...other, reference: "r" })),
        ).toMatchObject({
          code: "resource_not_found",
        });
    });

    test("a gateway that does not answer leaves the reserve, and maintenance settles it once", async () => {
      let answers = false;
      let moved = 0;
      const gateway = sandboxGateway();
      shop = await createShop(await open(), {
        limits: { checkout: null },
        gateways: [
          {
            ...gateway,
            async refund() {
              if (!answers) throw new Error("no answer");
              moved += 1;
              return { status: "succeeded", reference: "re_1" };
            },
          },
        ],
      });
      where = { store_id: shop.a.id, livemode: false };
      const order = await buy();
      expect(
        await shop.storefront.orders.refund(order.id, { ...where, reference: "r1", amount: 700 }),
      ).toMatchObject({
        status: "pending",
      });
      expect(
        await thrownBy(
          shop.storefront.orders.refund(order.id, { ...where, reference: "r2", amount: 400 }),
        ),
      ).toMatchObject({
        code: "refund_exceeds_balance",
      });
      answers = true;
      shop.advance(60_000);
      const [one, two] = await Promise.all([
        shop.storefront.runMaintenance(),
        shop.storefront.runMaintenance(),
      ]);
      expect((one?.refunds_settled ?? 0) + (two?.refunds_settled ?? 0)).toBe(1);
      expect(moved).toBe(1);
      expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
        status: "partially_refunded",
        amount_refunded: 700,
      });
      expect((await types()).filter((type) => type === "order.refunded")).toHaveLength(1);
    });

    test("a refund that the gateway refuses frees what it had reserved", async () => {
      shop = await createShop(await open(), {
        limits: { checkout: null },
        gateways: [
          { ...sandboxGateway(), refund: async () => ({ status: "failed", reference: null }) },
        ],
      });
      where = { store_id: shop.a.id, livemode: false };
      const order = await buy();
      for (const reference of ["r1", "r2"])
        expect(
          await shop.storefront.orders.refund(order.id, { ...where, reference }),
        ).toMatchObject({
          status: "failed",
          order: { status: "paid", amount_refunded: 0 },
        });
      expect(await types()).not.toContain("order.refunded");
    });
  });

  describe("disputes", () => {
    test("an opened dispute is a chargeback with its event; a won one gives the status of before; a repeat changes nothing", async () => {
      const order = await buy();
      await shop.storefront.orders.refund(order.id, { ...where, reference: "r1", amount: 100 });
      const told = {
        ...where,
        reference: "dp_1",
        reason: "fraudulent",
        due_by: "2026-02-01T00:00:00Z",
      };
      expect(await shop.storefront.orders.openDispute(order.id, told)).toMatchObject({
        status: "chargeback",
      });
      await shop.storefront.orders.openDispute(order.id, told);
      const disputes = (await listed()).filter(
        (event: { type: string }) => event.type === "order.chargeback",
      );
      expect(disputes).toHaveLength(1);
      expect(disputes[0].data).toMatchObject({
        previous_status: "partially_refunded",
        dispute: {
          id: "dp_1",
          amount: 1000,
          reason: "fraudulent",
          due_by: "2026-02-01T00:00:00.000Z",
        },
      });
      const close = { ...where, reference: "dp_1", outcome: "won" as const };
      expect(await shop.storefront.orders.closeDispute(order.id, close)).toMatchObject({
        status: "partially_refunded",
      });
      await shop.storefront.orders.closeDispute(order.id, close);
      expect(
        await thrownBy(
          shop.storefront.orders.closeDispute(order.id, { ...close, outcome: "lost" }),
        ),
      ).toMatchObject({
        code: "invalid_transition",
      });
      expect(
        await thrownBy(
          shop.storefront.orders.closeDispute(order.id, { ...close, reference: "dp_9" }),
        ),
      ).toMatchObject({
        code: "resource_not_found",
        param: "reference",
      });
    });

    test("a lost dispute stays a chargeback and allows no refund; an unpaid order cannot be disputed", async () => {
      const order = await buy();
      const paid = await shop.storage.orders.findCheckout(where, order.checkout_session_id ?? "");
      const message = await sandboxNotification(secret, {
        notification_id: "n1",
        type: "dispute_opened",
        reference: "dp_1",
        payment_reference: paid?.attempt?.reference ?? "",
        amount: 1000,
      });
      expect(await shop.storefront.checkout.handleNotification("sandbox", message)).toMatchObject({
        outcome: "applied",
      });
      const [dispute] = (await listed()).filter(
        (event: { type: string }) => event.type === "order.chargeback",
      );
      const reference = dispute.data.dispute.id;
      expect(
        await shop.storefront.orders.closeDispute(order.id, {
          ...where,
          reference,
          outcome: "lost",
        }),
      ).toMatchObject({
        status: "chargeback",
      });
      expect(
        await thrownBy(shop.storefront.orders.refund(order.id, { ...where, reference: "r" })),
      ).toMatchObject({
        code: "invalid_transition",
      });
      const failed = await buy("decline");
      expect(
        await thrownBy(
          shop.storefront.orders.openDispute(failed.id, { ...where, reference: "dp_2" }),
        ),
      ).toMatchObject({
        code: "invalid_transition",
      });
    });
  });

  describe("results of a payment", () => {
    test("decline_then_succeed makes the same order failed and then paid", async () => {
      const made = await shop.session();
      expect(await submit(made, "decline_then_succeed")).toMatchObject({ status: "failed" });
      expect(await submit(made, "decline_then_succeed")).toMatchObject({
        status: "paid",
        order: { number: 1 },
      });
    });

    test("resume asks the gateway about a pending payment; a second call changes nothing", async () => {
      const made = await shop.session();
      expect(await submit(made, "pending_then_succeed")).toMatchObject({
        status: "pending",
        redirect_url: null,
      });
      expect(await shop.storefront.checkout.resume(shop.tokenOf(made))).toMatchObject({
        status: "paid",
      });
      expect(await shop.storefront.checkout.resume(shop.tokenOf(made))).toMatchObject({
        status: "paid",
      });
      expect(await types()).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
      const other = await shop.session();
      await submit(other, "pending_then_fail");
      expect(await shop.storefront.checkout.resume(shop.tokenOf(other))).toMatchObject({
        status: "failed",
      });
      expect(
        await thrownBy(shop.storefront.checkout.resume(shop.tokenOf(await shop.session()))),
      ).toMatchObject({
        code: "resource_not_found",
      });
    });

    test("a payment without an answer is never failed; maintenance asks getPayment once", async () => {
      const made = await shop.session();
      expect(await submit(made, "timeout")).toMatchObject({ status: "pending" });
      expect((await shop.storefront.runMaintenance()).payments_checked).toBe(0); // the answer may still be on its way
      shop.advance(60_000);
      const reports = await Promise.all(
        Array.from({ length: 4 }, () => shop.storefront.runMaintenance()),
      );
      expect(reports.reduce((sum, { payments_settled }) => sum + payments_settled, 0)).toBe(1);
      expect(await types()).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
    });

    test("a payment that never reached the gateway fails, and what it held is free", async () => {
      const base = sandboxGateway();
      shop = await createShop(await open(), {
        limits: { checkout: null },
        gateways: [
          { ...base, createPayment: async () => Promise.reject(new Error("connection refused")) },
        ],
      });
      where = { store_id: shop.a.id, livemode: false };
      await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
      await buy();
      expect((await shop.session()).status).toBe(400);
      shop.advance(60_000);
      expect(await shop.storefront.runMaintenance()).toMatchObject({
        payments_checked: 1,
        payments_settled: 1,
      });
      expect((await shop.session()).status).toBe(201);
      expect(await types()).toEqual(["order.created", "order.failed"]);
    });

    test("two payments of one order: the second is a duplicate, the owner is told, and maintenance returns its money", async () => {
      const { cancelPayment: _left, ...base } = sandboxGateway({ notificationSecret: secret });
      shop = await createShop(await open(), {
        limits: { checkout: null },
        gateways: [{ ...base, returnDuplicates: true }],
      });
      where = { store_id: shop.a.id, livemode: false };
      const made = await shop.session();
      const { order } = await submit(made, "pending_then_succeed");
      await shop.storefront.checkout.complete(made.body.data.id, {
        ...where,
        reference: "own",
        status: "paid",
        amount: 1000,
        currency: "BRL",
      });
      expect(await shop.storefront.runMaintenance()).toMatchObject({ payments_settled: 1 });
      expect(JSON.stringify(await shop.owner.alerts.list(shop.a.id))).toContain(
        "duplicate_payment",
      );
      expect(await shop.storefront.runMaintenance()).toMatchObject({ duplicates_returned: 0 });
      shop.advance(600_000);
      expect(await shop.storefront.runMaintenance()).toMatchObject({ duplicates_returned: 1 });
      expect(await shop.storefront.runMaintenance()).toMatchObject({ duplicates_returned: 0 });
      expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
        status: "paid",
        amount_refunded: 0,
      });
    });
  });

  describe("notifications", () => {
    const notify = async (message: object) =>
      shop.storefront.checkout.handleNotification(
        "sandbox",
        await sandboxNotification(secret, {
          notification_id: "n1",
          type: "payment",
          reference: "unknown",
          status: "succeeded",
          amount: 1000,
          currency: "BRL",
          ...message,
        }),
      );

    test("a notification that overtakes the gateway's answer finds its payment by id; repeats and the answer change nothing", async () => {
      let answer: (() => void) | undefined;
      const base = sandboxGateway({ notificationSecret: secret });
      let asked: string | undefined;
      shop = await createShop(await open(), {
        limits: { checkout: null },
        gateways: [
          {
            ...base,
            async createPayment(request) {
              asked = request.id;
              await new Promise<void>((resolve) => {
                answer = resolve;
              });
              return base.createPayment(request);
            },
          },
        ],
      });
      where = { store_id: shop.a.id, livemode: false };
      const made = await shop.session();
      const submitting = submit(made, "succeed");
      await expect.poll(() => asked).toBeDefined();
      const told = { payment_id: asked, reference: `sandbox_${asked}.succeed.1000.BRL` };
      expect(await notify(told)).toMatchObject({ outcome: "applied" });
      expect(await notify(told)).toMatchObject({ outcome: "unchanged" });
      answer?.();
      expect(await submitting).toMatchObject({ status: "paid" });
      expect(await types()).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
    });

    test("a notification of an unknown payment, a forged one, and one that the gateway cannot read are refused", async () => {
      expect(await notify({})).toEqual({ outcome: "ignored", order_id: null });
      const forged = await sandboxNotification("other", {
        notification_id: "n1",
        type: "payment",
        reference: "r",
        status: "succeeded",
        amount: 1,
        currency: "BRL",
      });
      expect(
        await thrownBy(shop.storefront.checkout.handleNotification("sandbox", forged)),
      ).toMatchObject({
        code: "notification_refused",
        cause: { message: expect.stringContaining("signature_mismatch") },
      });
      expect(
        await thrownBy(shop.storefront.checkout.handleNotification("other", forged)),
      ).toMatchObject({ code: "gateway_error" });
    });

    test("a wrong amount leaves the order pending and tells the owner once", async () => {
      const made = await shop.session();
      const { order } = await submit(made, "pending_then_succeed");
      const [attempt] = await shop.storage.orders.claimWork("attempts", {
        now: shop.now() + 1e9,
        until: shop.now() + 60_000,
        limit: 10,
      });
      for (let time = 0; time < 2; time++)
        await notify({ reference: attempt?.reference, amount: 1 });
      expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
        status: "pending",
      });
      const { data } = await shop.owner.alerts.list(shop.a.id);
      expect(data.map(({ type }) => type)).toEqual(["payment_mismatch"]);
    });
  });

  describe("expiry", () => {
    test("maintenance fails (expired) a pending order whose session is over, once, and gives back what it held", async () => {
      await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
      const made = await shop.session();
      await submit(made, "pending_then_succeed");
      await shop.storefront.orders.markFailed(
        (await shop.get("/orders", { key: shop.a.test.sec })).body.data[0].id,
        where,
      );
      const again = await submit(made, "timeout");
      expect(again.order.status).toBe("pending");
      shop.advance(1_800_000);
      // The payment in flight keeps the order pending: its result is asked for first. The one that
      // the host gave up is canceled.
      const report = await shop.storefront.runMaintenance();
      expect(report).toMatchObject({ orders_expired: 0, payments_settled: 2 });
      expect(await shop.storefront.orders.retrieve(again.order.id, where)).toMatchObject({
        status: "paid",
      });
    });

    test("checkout.expire closes a session now; late money still makes the order paid", async () => {
      const made = await shop.session();
      const { order } = await submit(made, "pending_then_succeed");
      expect(await shop.storefront.checkout.expire(made.body.data.id, where)).toMatchObject({
        status: "expired",
      });
      expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
        status: "pending",
      });
      expect(await shop.storefront.checkout.resume(shop.tokenOf(made))).toMatchObject({
        status: "paid",
      });
      expect((await shop.storefront.checkout.view(shop.tokenOf(made))).session.status).toBe(
        "complete",
      );
      const other = await shop.session();
      await shop.storefront.checkout.expire(other.body.data.id, where);
      expect(await thrownBy(submit(other, "succeed"))).toMatchObject({ code: "session_expired" });
      expect(await thrownBy(shop.storefront.checkout.expire("cs_none", where))).toMatchObject({
        code: "resource_not_found",
      });
    });

    test("a payment that nobody finished is canceled at the gateway when its time is over, and the order fails (expired)", async () => {
      const base = sandboxGateway();
      const canceled: string[] = [];
      shop = await createShop(await open(), {
        limits: { checkout: null },
        gateways: [
          {
            ...base,
            getPayment: async (query) => ({
              status: "pending",
              reference: query.reference ?? "r",
              amount: 1000,
              currency: "BRL",
            }),
            async cancelPayment({ id }) {
              canceled.push(id);
            },
          },
        ],
      });
      where = { store_id: shop.a.id, livemode: false };
      const order = await buy("pending_then_succeed");
      shop.advance(1_800_000);
      expect(await shop.storefront.runMaintenance()).toMatchObject({ orders_expired: 0 });
      expect(canceled).toEqual([]);
      shop.advance(1_800_000);
      await shop.storefront.runMaintenance();
      expect(canceled).toHaveLength(1);
      expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
        status: "failed",
        failure_code: "expired",
      });
    });

    test("markFailed ends the payment in flight; markPaid takes the money whenever it comes", async () => {
      const order = await buy("timeout");
      expect(
        await shop.storefront.orders.markFailed(order.id, { ...where, failure_code: "fraud" }),
      ).toMatchObject({
        status: "failed",
        failure_code: "fraud",
      });
      const paid = { ...where, reference: "bank-1", amount: 1000, currency: "BRL" };
      expect(
        await thrownBy(shop.storefront.orders.markPaid(order.id, { ...paid, amount: 999 })),
      ).toMatchObject({
        code: "payment_mismatch",
        param: "amount",
      });
      expect(await shop.storefront.orders.markPaid(order.id, paid)).toMatchObject({
        status: "paid",
        failure_code: null,
      });
      expect(await shop.storefront.orders.markPaid(order.id, paid)).toMatchObject({
        status: "paid",
      });
      expect(await thrownBy(shop.storefront.orders.markFailed(order.id, where))).toMatchObject({
        code: "invalid_transition",
      });
      expect(await types()).toEqual([
        "order.created",
        "order.failed",
        "order.paid",
        "checkout.session.completed",
      ]);
    });
  });
});
