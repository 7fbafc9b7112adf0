import { beforeEach, describe, expect, test } from "vitest";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { type Bank, createBank, messageOf } from "./bank.ts";

const hour = 3_600_000;
const day = 24 * hour;

describe.each(storages)("refunds, on %s", (_name, open) => {
  let shop: Shop;
  let bank: Bank;
  let where: { store_id: string; livemode: boolean };
  let facts = 0;

  const openShop = async (change: (own: Bank) => Bank["gateway"] = ({ gateway }) => gateway) => {
    let clock = (): number => 0;
    bank = createBank(() => clock());
    shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [change(bank)],
    });
    clock = shop.now;
    where = { store_id: shop.a.id, livemode: false };
  };
  beforeEach(() => openShop());

  const orders = () => shop.storefront.orders;
  const retrieve = (id: string) => orders().retrieve(id, where);
  const refund = (id: string, input: object = {}) =>
    orders().refund(id, { ...where, reference: "r1", ...input });
  const events = async (type: string) => {
    const { body } = await shop.get("/events?limit=100", { key: shop.a.test.sec });
    return body.data.filter((event: { type: string }) => event.type === type);
  };
  const alerts = async (): Promise<readonly string[]> =>
    (await shop.owner.alerts.list(shop.a.id)).data.map(({ type }) => type).sort();
  const moneyOf = async (order_id: string): Promise<string> => {
    const checkout_session_id = (await retrieve(order_id)).checkout_session_id ?? "";
    const found = await shop.storage.orders.findCheckout(where, checkout_session_id);
    return found?.attempt?.payment_reference ?? "";
  };
  /** A refund that the provider tells of. */
  const tell = async (order_id: string, fact: object) =>
    shop.storefront.checkout.handleNotification(
      "sandbox",
      messageOf({
        type: "refund",
        notification_id: `n${++facts}`,
        status: "succeeded",
        reference: "re_own",
        payment_reference: await moneyOf(order_id),
        amount: 400,
        currency: "BRL",
        ...fact,
      }),
    );
  const maintain = (ms: number) => {
    shop.advance(ms);
    return shop.storefront.runMaintenance();
  };

  test("a refund can be retrieved and listed with all that is known of it", async () => {
    const order = await shop.buy();
    const made = await refund(order.id, { amount: 400, reason: "broken" });
    const shown = await shop.storefront.refunds.retrieve(made.id, where);
    expect(shown).toMatchObject({
      id: made.id,
      order_id: order.id,
      reference: "r1",
      status: "succeeded",
      amount: 400,
      reason: "broken",
      moved: "by_gateway",
      provider_reference: "re_1",
      failure_reason: null,
    });
    expect(shown.payment_id).toMatch(/^pay_/);
    expect(shown.succeeded_at).toBe(shown.created_at);

    const other = await shop.buy();
    const second = await refund(other.id);
    const list = (input: object) => shop.storefront.refunds.list({ ...where, ...input });
    expect((await list({})).data.map(({ id }) => id)).toEqual(
      [second.id, made.id].sort().reverse(),
    );
    expect((await list({ order_id: order.id })).data.map(({ id }) => id)).toEqual([made.id]);
    const first = await list({ limit: 1 });
    expect(first.has_more).toBe(true);
    const rest = await list({ limit: 1, starting_after: first.next_cursor });
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(2);

    const foreign = { ...where, store_id: shop.b.id };
    const thrown = await thrownBy(shop.storefront.refunds.retrieve(made.id, foreign));
    expect(thrown).toMatchObject({ code: "resource_not_found" });
    expect((await shop.storefront.refunds.list(foreign)).data).toEqual([]);
  });

  test("without the gateway here nothing is booked; money that the host has moved is", async () => {
    await openShop(({ gateway: { refund: _refund, ...without } }) => without);
    const order = await shop.buy();
    expect(await thrownBy(refund(order.id))).toMatchObject({ code: "gateway_error" });
    expect(await retrieve(order.id)).toMatchObject({ status: "paid", amount_refunded: 0 });

    const booked = await refund(order.id, { moved: "by_host" });
    expect(booked).toMatchObject({
      status: "succeeded",
      moved: "by_host",
      order: { status: "refunded", amount_refunded: 1000 },
    });
    expect(await events("order.refunded")).toHaveLength(1);
  });

  test("a payment that the host's own code took needs no word: the host moves its refunds", async () => {
    const made = await shop.session();
    const order = await shop.storefront.checkout.complete(made.body.data.id, {
      ...where,
      reference: "own",
      status: "paid",
      amount: 1000,
      currency: "BRL",
    });
    expect(await refund(order.id, { amount: 300 })).toMatchObject({
      status: "succeeded",
      moved: "by_host",
      order: { status: "partially_refunded", amount_refunded: 300 },
    });
    expect(bank.requests).toEqual([]);
  });

  test("an answer that was lost is asked for, and the creation is not sent again", async () => {
    bank.script.loses_answers = true;
    const order = await shop.buy();
    expect(await refund(order.id, { amount: 700 })).toMatchObject({
      status: "pending",
      order: { amount_refunding: 700, amount_refunded: 0, status: "paid" },
    });
    expect(await refund(order.id, { amount: 700 })).toMatchObject({ status: "pending" });
    expect(bank.requests).toHaveLength(1);

    expect(await maintain(60_000)).toMatchObject({ refunds_settled: 1 });
    expect(bank.requests).toHaveLength(1);
    expect(await retrieve(order.id)).toMatchObject({ amount_refunding: 0, amount_refunded: 700 });
    expect(bank.moved()).toBe(700);
  });

  test("a creation that never arrived is repeated with equal fields while its key lives", async () => {
    bank.script.is_down = true;
    const order = await shop.buy();
    await refund(order.id, { amount: 700 });
    bank.script.is_down = false;
    await maintain(60_000);
    const sent = bank.requests.map(({ signal: _signal, repeat: _repeat, ...request }) => request);
    const [first, second, ...more] = sent;
    expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    expect(bank.requests.map(({ repeat }) => repeat)).toEqual([false, true]);
    expect(more).toEqual([]);
    expect(await retrieve(order.id)).toMatchObject({ amount_refunded: 700, amount_refunding: 0 });
  });

  test("a refund that fails while the provider is asked about it is not created again", async () => {
    let told: (() => Promise<unknown>) | null = null;
    await openShop(({ gateway }) => ({
      ...gateway,
      async getRefund() {
        await told?.();
        return null;
      },
    }));
    bank.script.is_down = true;
    const order = await shop.buy();
    const { id } = await refund(order.id, { amount: 700 });
    bank.script.is_down = false;

    told = () => tell(order.id, { refund_id: id, status: "failed", amount: 700 });
    await maintain(60_000);
    expect(bank.requests).toHaveLength(1);
    expect(await retrieve(order.id)).toMatchObject({ amount_refunding: 0, amount_refunded: 0 });
    expect(bank.moved()).toBe(0);
  });

  test("a refund that the provider does not know after 23 hours has failed", async () => {
    bank.script.is_down = true;
    const order = await shop.buy();
    const { id } = await refund(order.id);
    bank.script.is_down = false;
    await maintain(23 * hour);
    expect(bank.requests).toHaveLength(1);
    expect(bank.asked).toEqual([id]);
    expect(await shop.storefront.refunds.retrieve(id, where)).toMatchObject({
      status: "failed",
      failure_reason: "The provider knows no such refund.",
    });
    expect(await retrieve(order.id)).toMatchObject({ status: "paid", amount_refunding: 0 });
    expect(await events("order.refund_failed")).toHaveLength(1);
  });

  test("a gateway that cannot be asked gets no creation after 23 hours: the money is in doubt", async () => {
    await openShop(({ gateway: { getRefund: _getRefund, ...without } }) => without);
    bank.script.loses_answers = true;
    const order = await shop.buy();
    const { id } = await refund(order.id);
    await maintain(23 * hour);
    for (let run = 0; run < 3; run++) await maintain(day);
    expect(bank.requests).toHaveLength(1);
    expect(bank.moved()).toBe(1000);
    expect(await alerts()).toEqual(["money_in_doubt"]);
    expect(await shop.storefront.refunds.retrieve(id, where)).toMatchObject({ status: "pending" });

    await tell(order.id, { refund_id: id, reference: "re_1", amount: 1000 });
    expect(await retrieve(order.id)).toMatchObject({ status: "refunded", amount_refunded: 1000 });
  });

  test("a refusal within the call is only its result; the same call again uses the next key", async () => {
    bank.script.result = "refused";
    const order = await shop.buy();
    const refused = await refund(order.id);
    expect(refused).toMatchObject({
      status: "failed",
      failure_reason: "insufficient_funds",
      order: { status: "paid", amount_refunding: 0 },
    });
    expect(await events("order.refund_failed")).toEqual([]);
    expect(await alerts()).toEqual([]);

    bank.script.result = "succeeded";
    const again = await refund(order.id);
    expect(again).toMatchObject({ id: refused.id, status: "succeeded" });
    expect(bank.requests.map(({ id }) => id)).toEqual([refused.id, `${refused.id}.1`]);
    expect(await retrieve(order.id)).toMatchObject({ status: "refunded" });
  });

  test("a refund that was pending and fails gives its amount back and is told of", async () => {
    bank.script.result = "pending";
    const order = await shop.buy();
    const { id } = await refund(order.id, { amount: 400, reason: "broken" });
    expect(await retrieve(order.id)).toMatchObject({ amount_refunding: 400 });

    await tell(order.id, {
      refund_id: id,
      reference: "re_1",
      status: "failed",
      failure_reason: "account_closed",
    });
    expect(await retrieve(order.id)).toMatchObject({ status: "paid", amount_refunding: 0 });
    const [event] = await events("order.refund_failed");
    expect(event.data).toMatchObject({
      previous_status: "paid",
      refund: { id, amount: 400, reason: "broken", failure_reason: "account_closed" },
    });
    expect(await alerts()).toEqual(["refund_failed"]);

    await tell(order.id, { refund_id: id, reference: "re_1" });
    expect(await retrieve(order.id)).toMatchObject({ status: "paid", amount_refunded: 0 });
    // The reference has its final result: the same call changes nothing.
    expect(await refund(order.id, { amount: 400 })).toMatchObject({ status: "failed" });
    expect(bank.requests).toHaveLength(1);
  });

  test("a refund that succeeded and fails later is taken back, and goods stay as they are", async () => {
    const order = await shop.buy();
    const { id } = await refund(order.id);
    expect(await retrieve(order.id)).toMatchObject({ status: "refunded" });

    const failed = { refund_id: id, reference: "re_1", status: "failed" };
    await tell(order.id, failed);
    await tell(order.id, failed);
    const after = await retrieve(order.id);
    expect(after).toMatchObject({ status: "paid", amount_refunded: 0, refunded_at: null });
    expect(await events("order.refund_failed")).toHaveLength(1);
    expect((await events("order.refund_failed"))[0].data.previous_status).toBe("refunded");
    expect(await events("order.paid")).toHaveLength(1);

    expect(await refund(order.id, { reference: "r2" })).toMatchObject({ status: "succeeded" });
  });

  test("a refund that was made at the provider is booked once, and nothing is moved", async () => {
    const order = await shop.buy();
    expect(await tell(order.id, {})).toMatchObject({ outcome: "applied", order_id: order.id });
    await tell(order.id, {});
    expect(await retrieve(order.id)).toMatchObject({
      status: "partially_refunded",
      amount_refunded: 400,
    });
    expect(bank.requests).toEqual([]);
    const [event] = await events("order.refunded");
    const shown = await shop.storefront.refunds.retrieve(event.data.refund.id, where);
    expect(shown).toMatchObject({ reference: null, provider_reference: "re_own", amount: 400 });
    expect(await events("order.refunded")).toHaveLength(1);
  });

  test("money that goes back beyond the total is booked, and the owner is told once", async () => {
    const order = await shop.buy();
    await refund(order.id);
    await tell(order.id, { amount: 900 });
    await tell(order.id, { amount: 900 });
    expect(await retrieve(order.id)).toMatchObject({ status: "refunded", amount_refunded: 1900 });
    expect(await alerts()).toEqual(["refund_exceeds_order"]);
    const more = refund(order.id, { reference: "r2", amount: 1 });
    expect(await thrownBy(more)).toMatchObject({ code: "invalid_transition" });
  });

  test("our own refund that a message tells of first, without our id, counts once", async () => {
    bank.script.loses_answers = true;
    const order = await shop.buy();
    const { id } = await refund(order.id, { amount: 400 });
    await tell(order.id, { reference: "re_1" });
    await maintain(60_000);
    expect(await retrieve(order.id)).toMatchObject({ amount_refunded: 400, amount_refunding: 0 });
    expect(bank.moved()).toBe(400);
    expect(await shop.storefront.refunds.retrieve(id, where)).toMatchObject({
      status: "succeeded",
      provider_reference: "re_1",
    });
    expect(await events("order.refunded")).toHaveLength(1);
    expect(await events("order.refund_failed")).toEqual([]);
  });

  test("a refund by the host that names the provider's id is the one that its message tells of", async () => {
    const order = await shop.buy();
    await refund(order.id, { reference: "re_own", amount: 400, moved: "by_host" });
    await tell(order.id, {});
    expect(await retrieve(order.id)).toMatchObject({ amount_refunded: 400 });

    await tell(order.id, { reference: "re_second", amount: 100 });
    await refund(order.id, { reference: "re_second", amount: 100, moved: "by_host" });
    expect(await retrieve(order.id)).toMatchObject({ amount_refunded: 500 });
  });

  test("ten messages and ten calls at once book each refund once", async () => {
    const order = await shop.buy();
    await Promise.all([
      ...Array.from({ length: 10 }, () => tell(order.id, { amount: 100 })),
      ...Array.from({ length: 10 }, () => refund(order.id, { amount: 200 })),
    ]);
    expect(await retrieve(order.id)).toMatchObject({ amount_refunded: 300, amount_refunding: 0 });
    expect(bank.moved()).toBe(200);
    expect(await events("order.refunded")).toHaveLength(2);
  });

  test("another currency and unknown money change no order", async () => {
    const order = await shop.buy();
    await tell(order.id, { currency: "USD" });
    expect(await alerts()).toEqual(["refund_mismatch"]);
    const ignored = { outcome: "ignored", order_id: null };
    expect(await tell(order.id, { payment_reference: "pi_none" })).toEqual(ignored);
    expect(await tell(order.id, { account: "acct_other" })).toEqual(ignored);
    // It names an id of ours that is new, so the provider is to send it again.
    const named = { payment_reference: "pi_none", refund_id: order.id.replace("ord_", "rf_") };
    expect(await tell(order.id, named)).toMatchObject({ outcome: "unknown_payment" });
    expect(await retrieve(order.id)).toMatchObject({ status: "paid", amount_refunded: 0 });
  });

  describe("a refund whose first answer was lost, at a bank that is slow to know of it", () => {
    const loseFirst = async (amount = 700) => {
      bank.script.loses_answers = true;
      const order = await shop.buy();
      const made = await refund(order.id, { amount });
      Object.assign(bank.script, { loses_answers: false, forgets: true, refuses_repeats: true });
      return { order, made };
    };
    const failAfterADay = async () => {
      await maintain(60_000);
      await maintain(23 * hour);
    };
    const books = async (id: string) => {
      const { amount_refunded, amount_refunding } = await retrieve(id);
      return { amount_refunded, amount_refunding, moved: bank.moved() };
    };
    const once = { amount_refunded: 700, amount_refunding: 0, moved: 700 };
    const twice = { amount_refunded: 1400, amount_refunding: 0, moved: 1400 };
    const word = (id: string) => ({ refund_id: id, reference: "re_1", amount: 700 });

    test("is not failed by the refusal of its repeat: the bank's word books it once", async () => {
      const { order, made } = await loseFirst();
      await maintain(60_000);
      expect(bank.requests.map(({ repeat }) => repeat)).toEqual([false, true]);
      expect(await books(order.id)).toEqual({ ...once, amount_refunded: 0, amount_refunding: 700 });

      await tell(order.id, word(made.id));
      expect(await books(order.id)).toEqual(once);
      expect(await events("order.refunded")).toHaveLength(1);
      expect(await alerts()).toEqual([]);
    });

    test("failed after 23 hours, and the bank's later word takes it over with its alert", async () => {
      const { order, made } = await loseFirst();
      await failAfterADay();
      const failed = await shop.storefront.refunds.retrieve(made.id, where);
      expect(failed).toMatchObject({ status: "failed", provider_reference: null });
      expect(await alerts()).toEqual(["refund_failed"]);

      await tell(order.id, word(made.id));
      const settled = await shop.storefront.refunds.retrieve(made.id, where);
      expect(settled).toMatchObject({ status: "succeeded", provider_reference: "re_1" });
      expect(await books(order.id)).toEqual(once);
      expect(await events("order.refund_failed")).toHaveLength(1);
      expect(await events("order.refunded")).toHaveLength(1);
      expect(await alerts()).toEqual([]);

      await tell(order.id, { ...word(made.id), status: "failed" });
      expect(await books(order.id)).toMatchObject({ amount_refunded: 0 });
      expect(await alerts()).toEqual(["refund_failed"]);
      await tell(order.id, word(made.id));
      expect(await books(order.id)).toMatchObject({ amount_refunded: 0 });
    });

    test("is asked about under its old key before the next one is sent", async () => {
      const { order, made } = await loseFirst();
      await failAfterADay();
      bank.script.forgets = false;
      const sent = bank.requests.length;
      const again = await refund(order.id, { amount: 700 });
      expect(again).toMatchObject({ id: made.id, status: "succeeded", provider_reference: "re_1" });
      expect(bank.asked.at(-1)).toBe(made.id);
      expect(bank.requests).toHaveLength(sent);
      expect(await books(order.id)).toEqual(once);
    });

    test("is not sent again while nobody can say what became of its old key", async () => {
      const { order } = await loseFirst();
      await failAfterADay();
      bank.script.is_down = true;
      const sent = bank.requests.length;
      expect(await refund(order.id, { amount: 700 })).toMatchObject({ status: "pending" });
      expect(bank.requests).toHaveLength(sent);

      Object.assign(bank.script, { is_down: false, forgets: false });
      await maintain(2 * day);
      expect(bank.requests).toHaveLength(sent);
      expect(await books(order.id)).toEqual(once);
    });

    test("and a second one under the next key are both in the books, with an alert", async () => {
      const { order, made } = await loseFirst();
      await failAfterADay();
      const second = await refund(order.id, { amount: 700 });
      expect(bank.requests.at(-1)).toMatchObject({ id: `${made.id}.1`, repeat: false });
      expect(second).toMatchObject({ status: "succeeded", provider_reference: "re_2" });

      await tell(order.id, word(made.id));
      expect(await books(order.id)).toEqual(twice);
      expect(await alerts()).toEqual(["refund_exceeds_order"]);
    });

    test("and whose word comes while the next key is sent: both are in the books", async () => {
      const { order, made } = await loseFirst();
      await failAfterADay();
      bank.script.before = async () => {
        await tell(order.id, word(made.id));
      };
      await refund(order.id, { amount: 700 });
      expect(await books(order.id)).toEqual(twice);
      expect(await alerts()).toEqual(["refund_exceeds_order"]);
    });
  });

  test("a refund that is tried again after 14 days, and whose answer is lost, is asked about", async () => {
    bank.script.result = "refused";
    const order = await shop.buy();
    const refused = await refund(order.id);
    shop.advance(15 * day);

    Object.assign(bank.script, { result: "succeeded", loses_answers: true });
    expect(await refund(order.id)).toMatchObject({ id: refused.id, status: "pending" });
    bank.script.loses_answers = false;
    await maintain(60_000);
    expect(await shop.storefront.refunds.retrieve(refused.id, where)).toMatchObject({
      status: "succeeded",
    });
    expect(await alerts()).toEqual([]);
    expect(bank.moved()).toBe(1000);
  });

  test("a refund that the provider leaves open for 14 days can be settled as not moved", async () => {
    bank.script.result = "pending";
    const order = await shop.buy();
    const made = await refund(order.id, { amount: 700 });
    expect(await thrownBy(refund(order.id, { moved: "not_moved" }))).toMatchObject({
      code: "invalid_transition",
    });
    await maintain(15 * day);
    expect(await alerts()).toEqual(["money_in_doubt"]);

    const settled = await refund(order.id, { moved: "not_moved" });
    expect(settled).toMatchObject({
      id: made.id,
      status: "failed",
      order: { amount_refunding: 0 },
    });
    expect(await events("order.refund_failed")).toHaveLength(1);
    expect(await alerts()).toEqual([]);
    expect(await refund(order.id, { moved: "not_moved" })).toMatchObject({ status: "failed" });
    expect(await thrownBy(refund(order.id, { reference: "r2", moved: "not_moved" }))).toMatchObject(
      {
        code: "invalid_transition",
      },
    );

    await tell(order.id, { refund_id: made.id, reference: "re_1", amount: 700 });
    expect(await retrieve(order.id)).toMatchObject({ amount_refunded: 700, amount_refunding: 0 });
  });
});
