import { describe, expect, test } from "vitest";
import { storages } from "../../../support/storages.ts";
import { brCode, receivePix } from "../books.ts";
import { callbackSecret } from "../fake-bank.ts";
import { endBanksAfterEach, only } from "../setup.ts";
import { pixShop } from "../shop.ts";
import { cancelAtBank, rejectCharge, settleDebits } from "./books.ts";
import { buyer, consent, day, subscribed } from "./subscriber.ts";

endBanksAfterEach();

const hour = 3_600_000;

// A year has many looks, on a database each.
describe.each(storages)("Pix Automático on %s", { timeout: 900_000 }, (_name, open) => {
  test("pays a year by itself, and the bank has what our books have", async () => {
    const shop = await subscribed({ storage: await open() });
    expect(shop.first).toMatchObject({
      collection_method: "charge_automatically",
      saved_method: { kind: "pix", label: "Pix Automático", expires_at: null },
      next_charge_at: "2026-02-01T12:00:00.000Z",
    });

    await shop.goTo("2027-01-01T15:00:00Z", day);
    expect(await shop.find()).toMatchObject({
      status: "active",
      current_period_start: "2027-01-01T12:00:00.000Z",
    });
    const dues = shop.charges().map(({ calendario }) => calendario.dataDeVencimento);
    expect(dues).toEqual([
      ...Array.from({ length: 11 }, (_, month) => `2026-${String(month + 2).padStart(2, "0")}-01`),
      "2027-01-01",
    ]);
    // Each was made four days before, when the store's day began.
    expect(shop.charges()[0]?.calendario.criacao).toBe("2026-01-28");
    expect(await shop.books()).toEqual([13 * 2000, 13 * 2000]);
    expect(shop.errors).toEqual([]);
  });

  test("an end by the buyer at the bank asks the buyer to pay, and charges nothing", async () => {
    const shop = await subscribed({ storage: await open() });
    await shop.goTo("2026-01-10T12:00:00Z", day);
    cancelAtBank(shop.bank.books(), shop.recurrence());
    await shop.bank.outbox.deliver();
    expect(await shop.find()).toMatchObject({ status: "active", next_charge_at: null });
    expect((await shop.events()).at(-1)).toBe("subscription.payment_action_required");

    await shop.goTo("2026-02-02T12:00:00Z", day);
    expect(shop.charges()).toEqual([]);
    expect(await shop.find()).toMatchObject({ status: "past_due" });
    const asked = (await shop.events()).filter((type) => type.endsWith("action_required"));
    expect(asked).toHaveLength(1);
  });

  test("an end by the shop, before the day of a charge that was made, takes the charge back", async () => {
    const shop = await subscribed({ storage: await open() });
    await shop.goTo("2026-01-29T12:00:00Z", day);
    expect(shop.charges()[0]?.status).toBe("ATIVA");
    const { subscriptions } = shop.storefront;
    await subscriptions.cancel(shop.id, { ...shop.where, at_period_end: true });
    await shop.goTo("2026-01-29T18:00:00Z");
    expect(shop.charges()[0]?.status).toBe("CANCELADA");

    await shop.goTo("2026-02-03T12:00:00Z", day);
    expect(await shop.find()).toMatchObject({ status: "canceled" });
    expect(shop.recurrence().status).toBe("CANCELADA");
    expect(await shop.books()).toEqual([2000, 2000]);
  });
});

describe("the first payment", () => {
  test("carries the recurrence in its code, which names the buyer, the price and the period", async () => {
    const shop = await subscribed();
    expect(shop.recurrence()).toMatchObject({
      status: "APROVADA",
      vinculo: { devedor: { cpf: "52998224725", nome: "Ana" }, objeto: "Coffee" },
      calendario: { dataInicial: "2026-02-01", periodicidade: "MENSAL" },
      valor: { valorRec: "20.00" },
      politicaRetentativa: "PERMITE_3R_7D",
      ativacao: { tipoJornada: "JORNADA_3", dadosJornada: { txid: shop.charge().txid } },
    });
    const { next_action } = shop.submitted;
    expect(next_action?.type === "qr_code" && next_action.text).toContain(
      shop.recurrence().loc?.location,
    );
  });

  test("keeps the reference sealed: no answer and no event has it", async () => {
    const shop = await subscribed();
    const { data } = await shop.storefront.owner.events.list({ ...shop.where, limit: 100 });
    const shown = JSON.stringify([data, await shop.find()]);
    expect(shown).toContain("Pix Automático");
    expect(shown).not.toContain(shop.recurrence().idRec);
  });

  test.each([
    ["without consent", { customer: buyer.customer }],
    ["without a tax id", { customer: { ...buyer.customer, tax_id: null }, consent }],
    ["without a name", { customer: { ...buyer.customer, name: null }, consent }],
  ])("%s is a plain one, and the host charges the later periods", async (_name, given) => {
    const shop = await subscribed({ buyer: given });
    expect(shop.bank.books().recurrences.size).toBe(0);
    expect(shop.first).toMatchObject({ collection_method: "host", saved_method: null });
  });

  test("of a product that is no plan, or without the option, makes no recurrence", async () => {
    const plain = await pixShop({ pix: { automatic: {} } });
    await plain.submit(buyer);
    const off = await pixShop({ monthly: true });
    await off.submit(buyer);
    for (const { bank } of [plain, off]) expect(bank.calls).not.toContain("POST /rec");
  });

  test.each([
    ["month", 1, true],
    ["week", 2, false],
  ] as const)("of %s × %i is kept: %s, of buyers with a tax id", async (interval, count, is) => {
    const shop = await pixShop({ monthly: true, pix: { automatic: {} } });
    const recurring = { interval, interval_count: count };
    const { id: product_id } = await shop.product({ name: "Tea", price: 500, recurring });
    const session = await shop.checkout([{ product_id, quantity: 1 }]);
    const { checkout } = shop.storefront;
    const view = await checkout.view(session.checkout_url.split("/").at(-1) ?? "");
    const pix = view.payment_methods.find(({ type }) => type === "pix")?.id;
    expect(view.recurring?.saved_by.includes(pix ?? "")).toBe(is);
    expect(view.recurring?.needs_tax_id).toEqual(is ? [pix] : []);
  });

  test("that the buyer leaves takes its recurrence with it", async () => {
    const shop = await pixShop({ monthly: true, pix: { automatic: {} } });
    const { token } = await shop.submit(buyer);
    await shop.storefront.checkout.cancel(token);
    expect(only(shop.bank.books().recurrences).status).toBe("CANCELADA");
  });

  test("that fails for the recurrence's sake tells the host why", async () => {
    const shop = await pixShop({ monthly: true, pix: { automatic: {} } });
    shop.bank.books().locations.set = () => new Map() as never;
    const { order } = await shop.submit(buyer);
    expect(order).toMatchObject({ status: "failed", failure_code: "error" });
    expect(shop.errors.join()).toContain("location");
  });

  test("with a code that lacks the recurrence shows none, and says so", async () => {
    const shop = await pixShop({ monthly: true, pix: { automatic: {} } });
    shop.bank.books().compose = (location) => brCode(location, "20.00");
    const { next_action } = await shop.submit(buyer);
    expect(next_action).toBeNull();
    expect(shop.errors.join()).toContain("next_action cannot be used");
  });

  test("that is told of by a look-up saves the recurrence too", async () => {
    const shop = await pixShop({ monthly: true, pix: { automatic: {} } });
    const { token, order } = await shop.submit(buyer);
    receivePix(shop.bank.books(), shop.charge());
    await shop.storefront.checkout.resume(token);
    const { subscription_id } = await shop.order(order);
    const found = await shop.storefront.subscriptions.retrieve(subscription_id ?? "", shop.where);
    expect(found.saved_method).toMatchObject({ kind: "pix" });
  });

  test("counts where the bank no longer shows its recurrence, and the host charges later", async () => {
    const shop = await pixShop({ monthly: true, pix: { automatic: {} } });
    const { order } = await shop.submit(buyer);
    receivePix(shop.bank.books(), shop.charge());
    shop.bank.books().recurrences.clear();
    await shop.bank.outbox.deliver();
    const { status, subscription_id } = await shop.order(order);
    expect(status).toBe("paid");
    const found = await shop.storefront.subscriptions.retrieve(subscription_id ?? "", shop.where);
    expect(found).toMatchObject({ collection_method: "host", saved_method: null });
    expect(shop.errors).toEqual([]);
  });
});

describe("a charge", () => {
  test("that was not paid on its day is tried on three more, and recovers", async () => {
    const shop = await subscribed();
    let left = 3;
    shop.bank.books().hasMoney = () => left-- <= 0;
    await shop.goTo("2026-02-02T12:00:00Z");
    expect(await shop.find()).toMatchObject({ status: "past_due" });
    await shop.goTo("2026-02-08T23:00:00Z");

    const [charge] = shop.charges();
    expect(shop.charges()).toHaveLength(1);
    expect(charge?.tentativas.map(({ dataLiquidacao }) => dataLiquidacao)).toEqual([
      "2026-02-01",
      "2026-02-04",
      "2026-02-06",
      "2026-02-08",
    ]);
    expect(await shop.find()).toMatchObject({
      status: "active",
      current_period_end: "2026-03-01T12:00:00.000Z",
    });
    expect(await shop.books()).toEqual([4000, 4000]);
    expect((await shop.events()).slice(-3)).toEqual([
      "order.paid",
      "subscription.renewed",
      "subscription.recovered",
    ]);
  });

  test("that is never paid ends the subscription, and the recurrence at the bank", async () => {
    const shop = await subscribed();
    shop.bank.books().hasMoney = () => false;
    await shop.goTo("2026-02-12T12:00:00Z");
    expect(shop.charges()[0]?.tentativas).toHaveLength(4);
    expect(await shop.find()).toMatchObject({ status: "canceled" });
    expect(shop.recurrence().status).toBe("CANCELADA");
    expect(await shop.books()).toEqual([2000, 2000]);
  });

  test("of a recurrence that permits no retries asks the buyer to pay", async () => {
    const shop = await subscribed({ automatic: { retries: "NAO_PERMITE" } });
    shop.bank.books().hasMoney = () => false;
    await shop.goTo("2026-02-05T12:00:00Z");
    expect(shop.charges()[0]).toMatchObject({ status: "EXPIRADA", tentativas: [{ tipo: "AGND" }] });
    expect(await shop.find()).toMatchObject({ status: "past_due", next_charge_at: null });
    expect(await shop.events()).toContain("subscription.payment_action_required");
  });

  test("that the buyer's bank refuses is made anew, and names the bank's code", async () => {
    const shop = await subscribed();
    await shop.goTo("2026-01-28T13:00:00Z");
    const [refused] = shop.charges();
    if (refused) rejectCharge(shop.bank.books(), refused, "AM02");
    await shop.goTo("2026-02-08T12:00:00Z");
    expect(shop.charges().map(({ status }) => status)).toEqual(["REJEITADA", "CONCLUIDA"]);
    const { data } = await shop.storefront.owner.payments.list(shop.where);
    expect(data.map(({ decline_code }) => decline_code)).toContain("AM02");
    expect(await shop.books()).toEqual([4000, 4000]);
  });

  test.each(["lose_request", "lose_answer", "half_answer"] as const)(
    "with the fault %s is made once",
    async (fault) => {
      const shop = await subscribed();
      let left = 2;
      shop.bank.wire.choose = ({ method, path }) =>
        method === "PUT" && path.includes("/cobr/") && left-- > 0 ? fault : null;
      await shop.goTo("2026-02-01T15:00:00Z");
      expect(shop.charges()).toHaveLength(1);
      expect(await shop.find()).toMatchObject({ status: "active" });
      expect(await shop.books()).toEqual([4000, 4000]);
    },
  );

  test.each(["lose_request", "lose_answer"] as const)(
    "whose retry has the fault %s is debited once",
    async (fault) => {
      const shop = await subscribed();
      let paysFrom = 2;
      shop.bank.books().hasMoney = () => --paysFrom <= 0;
      let left = 2;
      shop.bank.wire.choose = ({ method, path }) =>
        method === "POST" && path.includes("/retentativa/") && left-- > 0 ? fault : null;
      await shop.goTo("2026-02-09T15:00:00Z");
      expect(await shop.find()).toMatchObject({ status: "active" });
      expect(await shop.books()).toEqual([4000, 4000]);
    },
  );

  test("is found by asking when no message comes", async () => {
    const shop = await subscribed();
    shop.bank.outbox.deliver = async () => {};
    await shop.goTo("2026-02-02T15:00:00Z");
    expect(await shop.find()).toMatchObject({ status: "active" });
    expect((await shop.find()).current_period_end).toBe("2026-03-01T12:00:00.000Z");
  });

  test("that the bank shows in place of another pays nothing, and is asked for again", async () => {
    const shop = await subscribed();
    shop.bank.outbox.deliver = async () => {};
    await shop.goTo("2026-01-30T12:00:00Z", day);
    const charge = only(shop.bank.books().recurring);
    const { txid } = charge;
    settleDebits(Object.assign(shop.bank.books(), { now: () => Date.UTC(2026, 1, 1, 15) }));
    expect(charge.status).toBe("CONCLUIDA");
    shop.bank.books().recurring.set(txid, { ...charge, txid: "b".repeat(26) });
    const body = JSON.stringify({ cobsr: [{ txid }] });
    const query = `?secret=${callbackSecret}&store_id=${shop.where.store_id}`;
    expect(await shop.notify({ gateway: "pix", body, query })).toBe(503);
    expect(await shop.find()).toMatchObject({ current_period_end: "2026-02-01T12:00:00.000Z" });
  });
});

describe("an end", () => {
  test("by the buyer at the bank that no message tells is found by the charge", async () => {
    const shop = await subscribed();
    cancelAtBank(shop.bank.books(), shop.recurrence());
    shop.bank.outbox.deliver = async () => {};
    await shop.goTo("2026-01-29T12:00:00Z");
    expect(shop.charges()).toEqual([]);
    expect(await shop.find()).toMatchObject({ status: "past_due", next_charge_at: null });
    expect((await shop.events()).at(-1)).toBe("subscription.payment_action_required");
  });

  test("is mended by the link, whose code carries another recurrence", async () => {
    const shop = await subscribed();
    cancelAtBank(shop.bank.books(), shop.recurrence());
    await shop.bank.outbox.deliver();
    const { subscriptions, checkout, owner } = shop.storefront;
    const success_url = "https://shop.example/thanks";
    const { url } = await subscriptions.payLink(shop.id, { ...shop.where, success_url });
    const methods = await owner.paymentMethods.list(shop.where.store_id);
    const payment_method_id = methods.find(({ gateway }) => gateway === "pix")?.id ?? "";
    await checkout.submit(url.split("/").at(-1) ?? "", { payment_method_id, ...buyer });
    const books = shop.bank.books();
    const [, second] = books.charges.values();
    if (second) receivePix(books, second);
    await shop.bank.outbox.deliver();

    expect([...books.recurrences.values()].at(-1)?.calendario.dataInicial).toBe("2026-03-01");
    await shop.goTo("2026-03-01T15:00:00Z", 6 * hour);
    expect(await shop.find()).toMatchObject({
      status: "active",
      current_period_end: "2026-04-01T12:00:00.000Z",
    });
    expect(await shop.books()).toEqual([6000, 6000]);
  });

  test("that the buyer takes back has the period charged after all", async () => {
    const shop = await subscribed();
    await shop.goTo("2026-01-28T13:00:00Z");
    const { subscriptions } = shop.storefront;
    await subscriptions.cancel(shop.id, { ...shop.where, at_period_end: true });
    await shop.goTo("2026-01-28T16:00:00Z");
    await subscriptions.keep(shop.id, shop.where);
    await shop.goTo("2026-02-01T15:00:00Z");
    expect(shop.charges().map(({ status }) => status)).toEqual(["CANCELADA", "CONCLUIDA"]);
    expect(await shop.find()).toMatchObject({ status: "active" });
    expect(await shop.books()).toEqual([4000, 4000]);
  });

  test("of the buyer's data ends the recurrence", async () => {
    const shop = await subscribed();
    await shop.storefront.owner.eraseCustomer(shop.where.store_id, "u_1");
    expect(shop.recurrence().status).toBe("CANCELADA");
  });
});

test("another price than the buyer has authorized is asked for by a link", async () => {
  const shop = await subscribed();
  await shop.storefront.subscriptions.changePrice(shop.id, { ...shop.where, unit_amount: 1500 });
  await shop.goTo("2026-01-29T12:00:00Z");
  expect(shop.charges()).toEqual([]);
  expect((await shop.events()).at(-1)).toBe("subscription.payment_action_required");
});

test("with variable amounts another price is charged", async () => {
  const shop = await subscribed({ automatic: { amounts: "variable" } });
  expect(shop.recurrence().valor).toEqual({ valorMinimoRecebedor: "20.00" });
  await shop.storefront.subscriptions.changePrice(shop.id, { ...shop.where, unit_amount: 1500 });
  await shop.goTo("2026-02-01T15:00:00Z");
  expect(await shop.books()).toEqual([5000, 5000]);
});

test("a refund of a later period goes back by its Pix", async () => {
  const shop = await subscribed();
  await shop.goTo("2026-02-01T15:00:00Z");
  const { latest_order_id } = await shop.find();
  await shop.storefront.orders.refund(latest_order_id ?? "", {
    ...shop.where,
    reference: "back_1",
    amount: 2000,
  });
  await shop.bank.outbox.deliver();
  expect(await shop.books()).toEqual([2000, 2000]);
});

test("messages of recurrences and charges are asked for with those of the key", async () => {
  const shop = await pixShop({ pix: { automatic: {} } });
  const url = "https://shop.example.com/notifications/gateways/pix/test";
  await shop.gateway.registerWebhook({ store_id: shop.where.store_id, url });
  const { webhooks } = shop.bank;
  expect([...webhooks.keys()]).toEqual([shop.bank.account().pixKey, "/webhookrec", "/webhookcobr"]);
  expect(new Set(webhooks.values()).size).toBe(1);
});

test("a charge is made as many days ahead as the option says", async () => {
  const shop = await subscribed({ automatic: { chargeAheadDays: 9 } });
  await shop.goTo(Date.UTC(2026, 1, 1, 13), day / 4);
  expect(shop.charges()[0]?.calendario.criacao).toBe("2026-01-23");
});
