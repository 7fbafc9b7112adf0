import { beforeEach, describe, expect, test } from "vitest";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { createBank, messageOf } from "./bank.ts";

describe.each(storages)("disputes, on %s", (_name, open) => {
  let shop: Shop;
  let where: { store_id: string; livemode: boolean };
  let facts = 0;
  beforeEach(async () => {
    const { gateway } = createBank(() => 0);
    shop = await createShop(await open(), { limits: { checkout: null }, gateways: [gateway] });
    where = { store_id: shop.a.id, livemode: false };
  });

  const retrieve = (id: string) => shop.storefront.orders.retrieve(id, where);
  const openOne = (id: string, reference: string, amount?: number) =>
    shop.storefront.orders.openDispute(id, { ...where, reference, amount });
  const closeOne = (id: string, reference: string, outcome: "won" | "lost") =>
    shop.storefront.orders.closeDispute(id, { ...where, reference, outcome });
  const chargebacks = async () => {
    const { body } = await shop.get("/events?limit=100", { key: shop.a.test.sec });
    return body.data.filter(({ type }: { type: string }) => type === "order.chargeback");
  };
  const alerts = async (): Promise<readonly string[]> =>
    (await shop.owner.alerts.list(shop.a.id)).data.map(({ type }) => type).sort();
  /** A dispute that the provider tells of. */
  const tell = async (
    order_id: string,
    type: "dispute_opened" | "dispute_closed",
    fact: object,
  ) => {
    const session_id = (await retrieve(order_id)).checkout_session_id ?? "";
    const found = await shop.storage.orders.findCheckout(where, session_id);
    const named = {
      notification_id: `n${++facts}`,
      reference: "dp_1",
      payment_reference: found?.attempt?.payment_reference ?? "",
    };
    const opened = { type: "dispute_opened", amount: 1000, ...named, ...fact } as const;
    const closed = { type: "dispute_closed", result: "won", ...named, ...fact } as const;
    return shop.storefront.checkout.handleNotification(
      "sandbox",
      messageOf(type === "dispute_opened" ? opened : closed),
    );
  };

  test("an amount above the total is refused from the host, and recorded from the provider", async () => {
    const order = await shop.buy();
    expect(await thrownBy(openOne(order.id, "dp_1", 1001))).toMatchObject({
      code: "parameter_invalid",
      param: "amount",
    });
    expect((await retrieve(order.id)).status).toBe("paid");

    await tell(order.id, "dispute_opened", { amount: 1200 });
    expect((await retrieve(order.id)).status).toBe("chargeback");
    const [event] = await chargebacks();
    expect(event.data.dispute).toMatchObject({ id: "dp_1", amount: 1200 });
  });

  test("the status of before returns when the last of several disputes is won", async () => {
    const order = await shop.buy();
    await shop.storefront.orders.refund(order.id, { ...where, reference: "r1", amount: 100 });
    await openOne(order.id, "dp_1", 400);
    await openOne(order.id, "dp_2", 500);
    expect(await chargebacks()).toHaveLength(2);

    expect((await closeOne(order.id, "dp_1", "won")).status).toBe("chargeback");
    expect((await closeOne(order.id, "dp_2", "won")).status).toBe("partially_refunded");
  });

  test("a lost dispute keeps the order, though another one is won", async () => {
    const order = await shop.buy();
    await openOne(order.id, "dp_1", 400);
    await openOne(order.id, "dp_2", 500);
    await closeOne(order.id, "dp_1", "lost");
    expect((await closeOne(order.id, "dp_2", "won")).status).toBe("chargeback");
  });

  test("host and provider tell of one dispute, which counts once", async () => {
    const order = await shop.buy();
    await Promise.all([
      openOne(order.id, "dp_1"),
      ...Array.from({ length: 5 }, () => tell(order.id, "dispute_opened", {})),
    ]);
    expect(await chargebacks()).toHaveLength(1);
    expect(await tell(order.id, "dispute_closed", {})).toMatchObject({ outcome: "applied" });
    expect((await retrieve(order.id)).status).toBe("paid");
  });

  test("an end that comes before its opening is kept: the opening then changes nothing", async () => {
    const won = await shop.buy();
    await tell(won.id, "dispute_closed", { reference: "dp_won" });
    await tell(won.id, "dispute_opened", { reference: "dp_won" });
    expect((await retrieve(won.id)).status).toBe("paid");

    const lost = await shop.buy();
    await tell(lost.id, "dispute_closed", { reference: "dp_lost", result: "lost" });
    await tell(lost.id, "dispute_opened", { reference: "dp_lost" });
    expect((await retrieve(lost.id)).status).toBe("chargeback");
    expect(await chargebacks()).toHaveLength(1);
  });

  test("a question of the bank only alerts, once for each message", async () => {
    const order = await shop.buy();
    const inquiry = { notification_id: "n_same", inquiry: true };
    await tell(order.id, "dispute_opened", inquiry);
    await tell(order.id, "dispute_opened", inquiry);
    expect(await alerts()).toEqual(["dispute_inquiry"]);
    expect((await retrieve(order.id)).status).toBe("paid");

    await tell(order.id, "dispute_opened", {});
    expect((await retrieve(order.id)).status).toBe("chargeback");
  });

  describe("a later verdict of the provider replaces the earlier one", () => {
    const verdict = (id: string, result: "won" | "lost", fact: object = {}) =>
      tell(id, "dispute_closed", { result, ...fact });
    const typesOf = async () => {
      const { body } = await shop.get("/events?limit=100", { key: shop.a.test.sec });
      return body.data.map(({ type, data, sequence }: EventShown) => [
        type,
        data.previous_status,
        sequence,
      ]);
    };
    interface EventShown {
      readonly type: string;
      readonly sequence: number;
      readonly data: { readonly previous_status: string | null };
    }
    const lostAmounts = async (): Promise<readonly (number | undefined)[]> => {
      const from = shop.now() - 3_600_000;
      const to = shop.now() + 3_600_000;
      const shown = await shop.owner.stats({ ...where, from, to, interval: "hour" });
      const totals = shown.currencies[0]?.totals;
      return [totals?.amount_disputes_lost, totals?.amount_net];
    };

    test("won, then lost: the order is a chargeback again, in events and numbers too", async () => {
      const order = await shop.buy();
      await tell(order.id, "dispute_opened", {});
      await verdict(order.id, "won");
      expect((await retrieve(order.id)).status).toBe("paid");
      expect(await lostAmounts()).toEqual([0, 1000]);

      expect(await verdict(order.id, "lost")).toMatchObject({ outcome: "applied" });
      expect((await retrieve(order.id)).status).toBe("chargeback");
      expect((await typesOf()).slice(-2)).toEqual([
        ["order.chargeback", "paid", 4],
        ["order.chargeback", "paid", 5],
      ]);
      expect(await lostAmounts()).toEqual([1000, 0]);
    });

    test("lost, then won: the order has its status of before, and its event tells of it", async () => {
      const order = await shop.buy();
      await tell(order.id, "dispute_opened", {});
      await verdict(order.id, "lost");
      expect(await verdict(order.id, "won")).toMatchObject({ outcome: "applied" });
      expect((await retrieve(order.id)).status).toBe("paid");
      expect((await typesOf()).at(-1)).toEqual(["order.paid", "chargeback", 5]);
      expect(await lostAmounts()).toEqual([0, 1000]);

      expect(await verdict(order.id, "won")).toMatchObject({ outcome: "unchanged" });
      await verdict(order.id, "lost");
      expect((await retrieve(order.id)).status).toBe("chargeback");
    });

    test("of an order that was refunded in part, with another dispute beside it", async () => {
      const order = await shop.buy();
      await shop.storefront.orders.refund(order.id, { ...where, reference: "r1", amount: 100 });
      await tell(order.id, "dispute_opened", { amount: 400 });
      await tell(order.id, "dispute_opened", { reference: "dp_2", amount: 400 });
      await verdict(order.id, "lost");
      await verdict(order.id, "won", { reference: "dp_2" });
      expect((await retrieve(order.id)).status).toBe("chargeback");

      await verdict(order.id, "won");
      expect(await retrieve(order.id)).toMatchObject({
        status: "partially_refunded",
        amount_refunded: 100,
      });
      expect((await typesOf()).at(-1)).toEqual(["order.refunded", "chargeback", 7]);
    });

    test("sent ten times at once, it counts once", async () => {
      const order = await shop.buy();
      await tell(order.id, "dispute_opened", {});
      await verdict(order.id, "won");
      await Promise.all(Array.from({ length: 10 }, () => verdict(order.id, "lost")));
      expect(await chargebacks()).toHaveLength(2);
      expect(await lostAmounts()).toEqual([1000, 0]);
    });

    test("and the host's own word does not", async () => {
      const order = await shop.buy();
      await openOne(order.id, "dp_1");
      await closeOne(order.id, "dp_1", "won");
      expect(await thrownBy(closeOne(order.id, "dp_1", "lost"))).toMatchObject({
        code: "invalid_transition",
      });
      await verdict(order.id, "lost");
      expect((await retrieve(order.id)).status).toBe("chargeback");
    });
  });

  test("an end without a verdict closes a dispute that was told of, and records no other", async () => {
    const told = await shop.buy();
    await tell(told.id, "dispute_opened", {});
    await tell(told.id, "dispute_closed", { known_only: true });
    expect((await retrieve(told.id)).status).toBe("paid");

    const untold = await shop.buy();
    await tell(untold.id, "dispute_closed", { reference: "dp_2", known_only: true });
    const { data } = await shop.owner.disputes.list({ ...where, order_id: untold.id });
    expect(data).toEqual([]);
  });

  test("a dispute of money that is unknown here changes nothing", async () => {
    const order = await shop.buy();
    const unknown = { payment_reference: "pi_none" };
    expect(await tell(order.id, "dispute_opened", unknown)).toMatchObject({ outcome: "ignored" });
    expect((await retrieve(order.id)).status).toBe("paid");
  });
});
