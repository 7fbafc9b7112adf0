import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import type { GatewayNotification, PaymentGateway } from "vitrine/gateway";
import { createShop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { open, paid, scriptedShop } from "./scripted-shop.ts";

const minute = 60_000;
const hour = 60 * minute;

describe.each(storages)(
  "one provider reference on several payments, on %s",
  (_name, openStorage) => {
    const setUp = async () => scriptedShop(await openStorage());
    type ScriptedShop = Awaited<ReturnType<typeof setUp>>;

    /** Orders of several sessions whose payments wait for one reference. */
    async function ordersWaitingFor(shop: ScriptedShop, reference: string, count: number) {
      const tokens: string[] = [];
      const ids: string[] = [];
      for (let index = 0; index < count; index += 1) {
        const session = await shop.session();
        tokens.push(shop.tokenOf(session));
        ids.push((await shop.submit(session, { ...open, reference })).order.id);
        shop.advance(1_000);
      }
      return { tokens, ids };
    }

    const statusesOf = (shop: ScriptedShop, ids: readonly string[]) =>
      Promise.all(ids.map(async (id) => (await shop.order(id)).status));
    const moneyOf = async (shop: ScriptedShop, ids: readonly string[]) =>
      (await Promise.all(ids.map(shop.money))).flat().map(({ status, amount }) => [status, amount]);

    test("of several orders: looked up at once, the money pays exactly one of them", async () => {
      const shop = await setUp();
      const { tokens, ids } = await ordersWaitingFor(shop, "pi_1", 4);
      shop.advance(minute);
      shop.setLookUp({ ...paid, reference: "pi_1" });
      await Promise.all([
        ...tokens.map((token) => shop.storefront.checkout.resume(token)),
        shop.tell({ ...paid, reference: "pi_1" }),
        shop.storefront.runMaintenance(),
      ]);
      expect(await moneyOf(shop, ids)).toEqual([["booked", 1000]]);
      expect((await statusesOf(shop, ids)).sort()).toEqual([
        "paid",
        "pending",
        "pending",
        "pending",
      ]);

      // The others fail when their time is over, however often the same money is looked up.
      for (let hours = 0; hours < 2; hours += 1) {
        shop.advance(hour);
        await shop.storefront.runMaintenance();
      }
      expect((await statusesOf(shop, ids)).sort()).toEqual(["failed", "failed", "failed", "paid"]);
      expect(await moneyOf(shop, ids)).toEqual([["booked", 1000]]);
    });

    test("six messages about one payment at once, each with its own id, pay once and tell it once", async () => {
      const shop = await setUp();
      const { order } = await shop.submit(await shop.session(), { ...open, reference: "pi_1" });
      const told = await Promise.all(
        Array.from({ length: 6 }, () => shop.tell({ ...paid, reference: "pi_1" })),
      );
      expect(told.map(({ outcome }) => outcome).sort()).toEqual([
        "applied",
        ...Array.from({ length: 5 }, () => "unchanged"),
      ]);
      expect(await moneyOf(shop, [order.id])).toEqual([["booked", 1000]]);
      const events = await shop.get("/events?limit=100", { key: shop.a.test.sec });
      const types = events.body.data.map(({ type }: { readonly type: string }) => type);
      expect(types.filter((type: string) => type === "order.paid")).toHaveLength(1);
      expect(await shop.alerts()).toEqual([]);
    });

    test("a second payment in a message of an earlier message's id is found by the next look-up", async () => {
      const shop = await setUp();
      const ids: string[] = [];
      for (const reference of ["pi_1", "pi_2"])
        ids.push((await shop.submit(await shop.session(), { ...open, reference })).order.id);

      const tell = (reference: string) =>
        shop.tell({ ...paid, reference, notification_id: "same" });
      expect(await tell("pi_1")).toMatchObject({ outcome: "applied", order_id: ids[0] });
      expect(await tell("pi_2")).toMatchObject({ outcome: "unchanged" });
      shop.advance(10 * minute);
      shop.setLookUp({ ...paid, reference: "pi_2" });
      await shop.storefront.runMaintenance();
      expect(await statusesOf(shop, ids)).toEqual(["paid", "paid"]);
    });

    test("that the host reports for another order is refused, and its own order is paid by it", async () => {
      const shop = await setUp();
      const waiting = await shop.submit(await shop.session(), { ...open, reference: "pi_1" });
      const session = await shop.session();
      const other = await shop.submit(session, { ...open, reference: "pi_2" });

      const payment = { ...shop.where, reference: "pi_1", amount: 1000, currency: "BRL" } as const;
      const complete = { ...payment, status: "paid" } as const;
      for (const report of [
        () => shop.storefront.orders.markPaid(other.order.id, payment),
        () => shop.storefront.checkout.complete(session.body.data.id, complete),
      ])
        expect(await thrownBy(report())).toMatchObject({
          code: "parameter_conflict",
          param: "reference",
        });

      await shop.tell({ ...paid, reference: "pi_1" });
      expect(await statusesOf(shop, [waiting.order.id, other.order.id])).toEqual([
        "paid",
        "pending",
      ]);
    });

    test("of several stores and modes is several payments", async () => {
      const shop = await setUp();
      const { a, b } = shop;
      const partitions = [
        { store_id: a.id, livemode: false, key: a.test.pub, product: shop.product },
        { store_id: a.id, livemode: true, key: a.live.pub, product: shop.product },
        { store_id: b.id, livemode: false, key: b.test.pub, product: shop.foreign },
      ];
      for (const { store_id, livemode, key, product } of partitions) {
        const url = `https://shop.example-${store_id === a.id ? "a" : "b"}.com/ok`;
        const made = await shop.session(
          {
            items: [{ product_id: product.id, quantity: 1 }],
            success_url: url,
            cancel_url: url,
          },
          { key },
        );
        const order = await shop.storefront.checkout.complete(made.body.data.id, {
          store_id,
          livemode,
          reference: "r1",
          status: "paid",
          amount: product.price,
          currency: "BRL",
        });
        expect(order.status).toBe("paid");
      }
    });

    test("in a message of the other mode finds no payment, and neither does our id", async () => {
      const messages: GatewayNotification[] = [];
      const { cancelPayment: _left, ...sandbox } = sandboxGateway();
      const gateway: PaymentGateway = {
        ...sandbox,
        id: "pix",
        createPayment: async () => ({ ...open, reference: "pi_1" }),
        parseNotification: async () => messages,
      };
      const gateways = [gateway, { ...gateway, livemode: true }];
      const shop = await createShop(await openStorage(), { gateways });
      const where = { store_id: shop.a.id, livemode: false };
      await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, { gateway: "pix" });
      const order = await shop.buy();

      const names = { gateway: "pix", livemode: false, account: null, payment_id: null };
      const [attempt] = await shop.storage.orders.findAttempts({ ...names, references: ["pi_1"] });
      const tell = async (fact: Partial<GatewayNotification>) => {
        const message = { ...paid, notification_id: "n", type: "payment", ...fact };
        messages.splice(0, 1, message as GatewayNotification);
        return shop.storefront.checkout.handleNotification("pix", {
          livemode: true,
          body: new Uint8Array(),
          header: () => undefined,
        });
      };
      expect(await tell({ reference: "pi_1" })).toMatchObject({ order_id: null });
      const forged = { reference: "pi_9", payment_id: attempt?.id ?? "" };
      expect(await tell(forged)).toEqual({ outcome: "ignored", order_id: null });
      expect(await shop.storefront.orders.retrieve(order.id, where)).toMatchObject({
        status: "pending",
      });
      expect(shop.alerts).toEqual(["payment_account_mismatch"]);
    });

    test("of two stores at one gateway account is guessed for neither, and both are told", async () => {
      const shop = await setUp();
      const own = await shop.submit(await shop.session(), { ...open, reference: "pi_1" });
      shop.advance(1_000);
      const url = "https://shop.example-b.com/ok";
      const made = await shop.session(
        {
          items: [{ product_id: shop.foreign.id, quantity: 1 }],
          success_url: url,
          cancel_url: url,
        },
        { key: shop.b.test.pub },
      );
      const other = await shop.submit(made, { ...open, reference: "pi_1" }, shop.b);

      const amount = shop.foreign.price;
      const ignored = { outcome: "ignored", order_id: null };
      expect(await shop.tell({ ...paid, amount, reference: "pi_1" })).toEqual(ignored);
      expect(await shop.tell({ ...paid, amount, reference: "pi_1" })).toEqual(ignored);
      const whereOther = { store_id: shop.b.id, livemode: false };
      const { orders } = shop.storefront;
      expect((await orders.retrieve(other.order.id, whereOther)).status).toBe("pending");
      expect((await shop.order(own.order.id)).status).toBe("pending");
      expect(await shop.money(own.order.id)).toEqual([]);
      const told = (order_id: string) => [
        { type: "payment_ambiguous", data: { order_id, gateway: "sandbox", account: null } },
      ];
      expect(await shop.alerts()).toEqual(told(own.order.id));
      expect(await shop.alerts(shop.b.id)).toEqual(told(other.order.id));
      expect(await thrownBy(orders.retrieve(other.order.id, shop.where))).toMatchObject({
        code: "resource_not_found",
      });
    });

    test("of two orders pays the one that our id in the message names", async () => {
      const shop = await setUp();
      const { ids } = await ordersWaitingFor(shop, "pi_1", 3);
      const sender = { gateway: "sandbox", livemode: false, account: null };
      const names = { ...sender, references: ["pi_1"], payment_id: null };
      const attempts = await shop.storage.orders.findAttempts(names);
      const named = attempts.find(({ order_id }) => order_id === ids[1]);

      const fact = { ...paid, reference: "pi_1", payment_id: named?.id };
      expect(await shop.tell(fact)).toEqual({ outcome: "applied", order_id: ids[1] });
      expect(await statusesOf(shop, ids)).toEqual(["pending", "paid", "pending"]);
      expect(await moneyOf(shop, ids)).toEqual([["booked", 1000]]);
      expect(await shop.alerts()).toEqual([]);
    });

    test("is that of later money, which its own payment has under another id", async () => {
      const shop = await setUp();
      const { ids } = await ordersWaitingFor(shop, "pi_1", 1);
      const [attempt] = await shop.storage.orders.findAttempts({
        gateway: "sandbox",
        livemode: false,
        account: null,
        references: ["pi_1"],
        payment_id: null,
      });
      const payment_id = attempt?.id;
      await shop.tell({ ...paid, reference: "pi_1", payment_id });
      await shop.tell({ ...paid, reference: "pi_1", payment_reference: "ch_2", payment_id });
      const [other] = (await ordersWaitingFor(shop, "ch_2", 1)).ids;

      const again = { ...paid, reference: "ch_2", payment_id };
      expect(await shop.tell(again)).toMatchObject({ order_id: ids[0] });
      expect((await shop.order(other ?? "")).status).toBe("pending");
    });
  },
);
