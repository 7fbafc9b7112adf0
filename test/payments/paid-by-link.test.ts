import { setTimeout } from "node:timers/promises";
import { beforeEach, describe, expect, test } from "vitest";
import type { Subscription } from "vitrine";
import { sellMonthly } from "../support/monthly-plan.ts";
import { createShop, returnUrl, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const day = 86_400_000;
const customer = { id: "u_1", email: "ana@example.com" };

describe.each(storages)(
  "the host's money for a period that a link has paid, on %s",
  (_name, open) => {
    let shop: Shop;
    let where: { store_id: string; livemode: boolean };

    beforeEach(async () => {
      shop = await createShop(await open(), { limits: { checkout: null } });
      where = { store_id: shop.a.id, livemode: false };
    });

    const find = (id: string) => shop.storefront.subscriptions.retrieve(id, where);
    /** Sells a plan whose host charges, and stops at the end of its first period. */
    const subscribe = async (): Promise<Subscription> => {
      const items = [{ product_id: await sellMonthly(shop), quantity: 1 }];
      const order = await shop.buy({ items }, {}, { customer });
      const subscription = await find(order.subscription_id ?? "");
      shop.advance(Date.parse(subscription.current_period_end) - shop.now());
      return subscription;
    };
    const renew = ({ id, current_period_end }: Subscription, changes: object = {}) =>
      shop.storefront.subscriptions.renew(id, {
        ...where,
        ...{ period_start: current_period_end, reference: "host", amount: 5000, currency: "BRL" },
        ...changes,
      });
    const linkOf = async ({ id }: Subscription): Promise<string> => {
      const { payLink } = shop.storefront.subscriptions;
      const { url } = await payLink(id, { ...where, success_url: returnUrl });
      return url.split("/").at(-1) ?? "";
    };
    const submit = (token: string) =>
      shop.storefront.checkout.submit(token, { payment_method_id: shop.a.method_id, customer });
    /** Pays the next period by a link, and gives the order of the link. */
    const payByLink = async (subscription: Subscription): Promise<string> => {
      const { order, status } = await submit(await linkOf(subscription));
      expect(status).toBe("paid");
      return order.id;
    };
    const moneyOf = async (order_id: string) => {
      const money = await shop.storefront.orders.listPayments(order_id, where);
      return money.map(({ status, amount }) => [status, amount]);
    };
    const alerts = async () =>
      (await shop.owner.alerts.list(shop.a.id)).data.map(({ type, data }) => [
        type,
        data["order_id"],
      ]);
    const countEvents = async () =>
      (await shop.owner.events.list({ ...where, limit: 100 })).data.length;

    test("is a duplicate of the link's order, once, and changes nothing else", async () => {
      const first = await subscribe();
      const order_id = await payByLink(first);
      const paid = await find(first.id);
      const events = await countEvents();

      const told = await Promise.all([1, 2, 3, 4].map(() => renew(first)));
      for (const { subscription, order } of told) {
        expect(subscription).toEqual(paid);
        expect(order).toMatchObject({ id: order_id, status: "paid" });
      }
      await renew(first, { reference: "less", amount: 5 });
      expect(await moneyOf(order_id)).toEqual([
        ["booked", 5000],
        ["duplicate", 5000],
        ["duplicate", 5],
      ]);
      expect(await alerts()).toEqual([
        ["duplicate_payment", order_id],
        ["duplicate_payment", order_id],
      ]);
      expect(await find(first.id)).toEqual(paid);
      expect(await countEvents()).toBe(events);
    });

    test("is recorded on the order that failed before the link was paid", async () => {
      const first = await subscribe();
      const period_start = first.current_period_end;
      const failure = { ...where, period_start, reference: "no" };
      const { order } = await shop.storefront.subscriptions.fail(first.id, failure);
      await payByLink(first);

      for (let time = 0; time < 2; time += 1)
        expect((await renew(first)).order).toMatchObject({ id: order.id, status: "failed" });
      expect(await moneyOf(order.id)).toEqual([["duplicate", 5000]]);
      expect(await alerts()).toEqual([["duplicate_payment", order.id]]);
      expect(await find(first.id)).toMatchObject({ status: "active" });
    });

    test("is recorded after the period is over, and after the subscription has ended", async () => {
      const first = await subscribe();
      await payByLink(first);
      const second = await find(first.id);
      shop.advance(31 * day);
      const { order } = await renew(second, { reference: "second" });
      expect((await renew(first)).order.id).toBe(order.id);

      await shop.storefront.subscriptions.cancel(first.id, { ...where, at_period_end: false });
      expect((await renew(first, { reference: "third" })).order.id).toBe(order.id);
      expect(await moneyOf(order.id)).toEqual([
        ["booked", 5000],
        ["duplicate", 5000],
        ["duplicate", 5000],
      ]);
    });

    test("is recorded where a pause has moved the period", async () => {
      const first = await subscribe();
      const { subscriptions } = shop.storefront;
      const period_start = first.current_period_end;
      await subscriptions.fail(first.id, { ...where, period_start, reference: "no" });
      await subscriptions.pause(first.id, where);
      shop.advance(90 * day);
      await subscriptions.resume(first.id, where);
      await payByLink(first);

      const { order, subscription } = await renew(first);
      expect(subscription).toMatchObject({ status: "active" });
      expect(await moneyOf(order.id)).toEqual([["duplicate", 5000]]);
    });

    test("is nothing new when it is the link's own", async () => {
      const first = await subscribe();
      const order_id = await payByLink(first);
      const [money] = await shop.storefront.orders.listPayments(order_id, where);
      const told = await renew(first, { reference: money?.payment_reference });
      expect(told.order.id).toBe(order_id);
      expect(await alerts()).toEqual([]);
    });

    test.each([0, 1, 4, 8])("is recorded when it comes %i ms behind the link's", async (waitMs) => {
      const first = await subscribe();
      const token = await linkOf(first);
      const [link, told] = await Promise.allSettled([
        submit(token),
        setTimeout(waitMs).then(() => renew(first)),
      ]);
      expect(told.status).toBe("fulfilled");
      const isPaid = link.status === "fulfilled";
      if (!isPaid) expect(link.reason).toMatchObject({ code: "session_not_open" });
      const { current_period_end } = first;
      expect(await find(first.id)).toMatchObject({ current_period_start: current_period_end });
      const { data } = await shop.owner.orders.list({ ...where, limit: 100 });
      const money = await Promise.all(data.map(({ id }) => moneyOf(id)));
      expect(money.flat()).toHaveLength(isPaid ? 3 : 2);
      expect(await alerts()).toHaveLength(isPaid ? 1 : 0);
    });

    test("is refused for a time at which no period began", async () => {
      const first = await subscribe();
      await payByLink(first);
      const paidFrom = Date.parse(first.current_period_end);
      for (const time of [paidFrom - 1, paidFrom + 1, paidFrom - 60 * day]) {
        const period_start = new Date(time).toISOString();
        const refused = await thrownBy(renew(first, { period_start }));
        expect(refused).toMatchObject({ code: "parameter_invalid", param: "period_start" });
      }
      expect(await alerts()).toEqual([]);
    });
  },
);
