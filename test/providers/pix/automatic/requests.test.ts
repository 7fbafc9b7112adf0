import { describe, expect, test } from "vitest";
import { thrownBy } from "../../../support/shop.ts";
import { storages } from "../../../support/storages.ts";
import { shuffledWithRepeats } from "../../outbox.ts";
import { receivePix } from "../books.ts";
import { endBanksAfterEach } from "../setup.ts";
import { answerRequest, cancelAtBank, sendRequest, settleDebits, tellRecurrence } from "./books.ts";
import { hosted, payer } from "./hosted.ts";
import { buyer, consent, day } from "./subscriber.ts";

endBanksAfterEach();

describe.each(storages)(
  "a request to a known payer, on %s",
  { timeout: 120_000 },
  (_name, open) => {
    test("that is accepted has Pix charge what the host has charged", async () => {
      const shop = await hosted({ storage: await open() });
      expect(shop.first).toMatchObject({ collection_method: "host", saved_method: null });

      const asked = await shop.request();
      const { reference } = asked;
      expect(asked).toMatchObject({ subscription_id: shop.id, status: "created" });
      const recurrence = shop.recurrenceOf(reference);
      expect(recurrence).toMatchObject({
        vinculo: {
          contrato: shop.id,
          devedor: { cpf: "52998224725", nome: "Ana" },
          objeto: "Coffee",
        },
        calendario: { dataInicial: "2026-02-01", periodicidade: "MENSAL" },
        valor: { valorRec: "20.00" },
      });
      const [request] = recurrence.solicitacao ?? [];
      expect(request).toMatchObject({
        destinatario: {
          ...{ cpf: "52998224725", ispbParticipante: "91193552" },
          ...{ agencia: "2569", conta: "550689-1" },
        },
      });
      if (request) sendRequest(shop.bank.books(), request);
      expect(await shop.look(reference)).toEqual({ ...asked, status: "received" });
      expect(await shop.follow(reference)).toMatchObject({ status: "pending" });
      expect(await shop.find()).toMatchObject({ collection_method: "host" });

      await shop.answer(reference, "ACEITA");
      expect(await shop.find()).toMatchObject({
        collection_method: "charge_automatically",
        saved_method: { kind: "pix", label: "Pix Automático" },
        next_charge_at: "2026-02-01T12:00:00.000Z",
      });
      const { store_id } = shop.where;
      expect(shop.told[0]).toEqual({ ...asked, status: "accepted", store_id });
      expect(await shop.updates()).toHaveLength(1);

      await shop.goTo("2026-04-02T12:00:00Z", day);
      expect(shop.charges().map(({ calendario }) => calendario.dataDeVencimento)).toEqual([
        ...["2026-02-01", "2026-03-01", "2026-04-01"],
      ]);
      expect(await shop.books()).toEqual([8000, 8000]);
      const { data } = await shop.storefront.owner.events.list({ ...shop.where, limit: 100 });
      expect(JSON.stringify([data, await shop.find()])).not.toContain(reference);
      expect(shop.errors).toEqual([]);
    });

    test("whose message is lost is found by asking, once for all repeats", async () => {
      const shop = await hosted({ storage: await open() });
      const { reference } = await shop.request();
      answerRequest(shop.bank.books(), shop.recurrenceOf(reference), "ACEITA");
      const followed = await Promise.all([1, 2, 3].map(() => shop.follow(reference)));
      for (const { status, subscription } of followed)
        expect([status, subscription.collection_method]).toEqual([
          "active",
          "charge_automatically",
        ]);
      await shop.bank.outbox.deliver(shuffledWithRepeats);
      expect(await shop.updates()).toHaveLength(1);
    });

    test("that is accepted while the period is being paid waits until it is paid", async () => {
      const shop = await hosted({ storage: await open(), buyer });
      const first = shop.recurrenceOf([...shop.bank.books().recurrences.keys()][0] ?? "");
      await shop.goTo("2026-01-29T12:00:00Z", day);
      expect(shop.charges()).toHaveLength(1);
      const { reference } = await shop.request();
      answerRequest(shop.bank.books(), shop.recurrenceOf(reference), "ACEITA");
      expect(await thrownBy(shop.follow(reference))).toMatchObject({ code: "invalid_transition" });
      await shop.bank.outbox.deliver();
      expect(shop.bank.outbox.waiting.length).toBeGreaterThan(0);
      expect(await shop.updates()).toEqual([]);

      await shop.goTo("2026-02-02T12:00:00Z", day);
      expect(await shop.updates()).toHaveLength(1);
      await shop.goTo("2026-03-02T12:00:00Z", day);
      expect(shop.charges().map(({ idRec, status }) => [idRec, status])).toEqual([
        [first.idRec, "CONCLUIDA"],
        [reference, "CONCLUIDA"],
      ]);
      expect(first.status).toBe("CANCELADA");
      expect(await shop.books()).toEqual([6000, 6000]);
    });

    test("that is accepted after the end is taken back at the bank", async () => {
      const shop = await hosted({ storage: await open() });
      const { reference } = await shop.request();
      const { subscriptions } = shop.storefront;
      await subscriptions.cancel(shop.id, { ...shop.where, at_period_end: false });
      await shop.answer(reference, "ACEITA");
      expect(await shop.find()).toMatchObject({ status: "canceled", saved_method: null });
      await shop.storefront.runMaintenance();
      expect(shop.recurrenceOf(reference).status).toBe("CANCELADA");
    });
  },
);

describe("a request to a known payer", () => {
  test.each([
    ["REJEITADA", "rejected"],
    ["EXPIRADA", "expired"],
  ] as const)("that ends as %s changes nothing, and can be made again", async (status, told) => {
    const shop = await hosted();
    const { reference } = await shop.request();
    await shop.answer(reference, status);
    expect(await shop.look(reference)).toMatchObject({ status: told });
    expect(shop.told.at(-1)).toMatchObject({ reference, status: told });
    expect(await shop.follow(reference)).toMatchObject({ status: "over" });
    expect(await shop.find()).toMatchObject({ collection_method: "host" });
    expect((await shop.request()).reference).not.toBe(reference);
  });

  test.each(["POST /rec", "POST /solicrec"])(
    "whose %s is lost, or whose answer is, is one request once the call is repeated",
    async (lost) => {
      // A connection that was open before is tried once more by itself: two faults end the call.
      for (const [fault, times] of [
        ["lose_request", 1],
        ["lose_request", 2],
        ["lose_answer", 1],
        ["lose_answer", 2],
      ] as const) {
        const shop = await hosted();
        const [method, path = ""] = lost.split(" ");
        let faults = times;
        shop.bank.wire.choose = (call) =>
          call.method === method && call.path.endsWith(path) && faults-- > 0 ? fault : null;
        await shop.request().catch(() => null);
        const { reference, status } = await shop.request();
        expect(status).toBe("created");
        expect(await shop.request()).toMatchObject({ reference });
        const asked = [...shop.bank.books().recurrences.values()].flatMap(
          ({ solicitacao = [] }) => solicitacao,
        );
        expect(asked.map(({ idRec }) => idRec)).toEqual([reference]);
      }
    },
  );

  test("that the shop takes back is canceled", async () => {
    const shop = await hosted();
    const { reference, subscription_id } = await shop.request();
    const { store_id } = shop.where;
    await shop.gateway.withdrawRecurrence({ store_id, subscription_id, reference });
    expect(await shop.look(reference)).toMatchObject({ status: "canceled" });
    expect(shop.recurrenceOf(reference).solicitacao?.[0]?.status).toBe("CANCELADA");
    // Twice is no error, as is one that the bank does not know.
    for (const name of [reference, `RR${"a".repeat(27)}`])
      await shop.gateway.withdrawRecurrence({ store_id, subscription_id, reference: name });
  });

  test("of another subscription is not taken back, nor is one that a code carries", async () => {
    const shop = await hosted();
    const { reference } = await shop.request();
    const carried = await hosted({ buyer });
    const [code] = carried.bank.books().recurrences.keys();
    for (const [{ gateway, where, recurrenceOf }, name, status] of [
      [shop, reference, "CRIADA"],
      [carried, code ?? "", "APROVADA"],
    ] as const) {
      const query = { store_id: where.store_id, subscription_id: "sub_other", reference: name };
      expect(await thrownBy(gateway.withdrawRecurrence(query))).toMatchObject({
        code: "invalid_option",
        param: "reference",
      });
      expect(recurrenceOf(name).status).toBe(status);
    }
  });

  test("whose payer ends it at the bank later asks the buyer to pay", async () => {
    const shop = await hosted();
    const { reference } = await shop.request();
    await shop.answer(reference, "ACEITA");
    cancelAtBank(shop.bank.books(), shop.recurrenceOf(reference));
    await shop.bank.outbox.deliver(shuffledWithRepeats);
    expect((await shop.events()).at(-1)).toBe("subscription.payment_action_required");
    expect(await shop.find()).toMatchObject({ next_charge_at: null });
    expect(await shop.follow(reference)).toMatchObject({ status: "over" });
  });

  test("is not used again once another method has taken its place", async () => {
    const shop = await hosted();
    const { reference } = await shop.request();
    await shop.answer(reference, "ACEITA");
    const { url } = await shop.storefront.subscriptions.payLink(shop.id, {
      ...shop.where,
      success_url: "https://shop.example/thanks",
    });
    const methods = await shop.storefront.owner.paymentMethods.list(shop.where.store_id);
    const method = methods.find(({ gateway }) => gateway === "pix");
    await shop.storefront.checkout.submit(url.split("/").at(-1) ?? "", {
      ...{ payment_method_id: method?.id ?? "", customer: buyer.customer, consent },
    });
    const charge = [...shop.bank.books().charges.values()].at(-1);
    if (charge) receivePix(shop.bank.books(), charge);
    await shop.bank.outbox.deliver();
    const before = await shop.find();
    // The bank repeats the message of the first one, before it has heard of its end.
    tellRecurrence(shop.bank.books(), shop.recurrenceOf(reference));
    await shop.bank.outbox.deliver();
    expect(await shop.find()).toEqual(before);
    await shop.storefront.runMaintenance();
    settleDebits(shop.bank.books());
    expect(shop.recurrenceOf(reference).status).toBe("CANCELADA");
    await shop.bank.outbox.deliver();
    expect(await shop.find()).toMatchObject({ collection_method: "charge_automatically" });
  });

  test("is of one subscription, of one store and of a gateway that has agreements", async () => {
    const shop = await hosted();
    const { reference } = await shop.request();
    const { subscriptions } = shop.storefront;
    const input = { ...shop.where, gateway: "pix", reference };
    const asks = (id: string, more: object) =>
      thrownBy(subscriptions.followAgreement(id, { ...input, ...more }));
    expect(await asks("sub_none", {})).toMatchObject({ code: "resource_not_found" });
    expect(await asks(shop.id, { store_id: "str_none" })).toMatchObject({
      code: "resource_not_found",
    });
    expect(await asks(shop.id, { reference: "x" })).toMatchObject({ code: "resource_not_found" });
    expect(await asks(shop.id, { gateway: "host" })).toMatchObject({ param: "gateway" });
    expect(await shop.look("x")).toBeNull();
  });

  test.each([
    [{ payer: { ...payer, tax_id: "529.982.247-26" } }, "payer.tax_id"],
    [{ payer: { ...payer, name: " " } }, "payer.name"],
    [{ payer: { ...payer, ispb: "123" } }, "payer.ispb"],
    [{ payer: { ...payer, agencia: "12345" } }, "payer.agencia"],
    [{ payer: { ...payer, conta: "" } }, "payer.conta"],
    [{ expires_at: "2025-12-01T00:00:00Z" }, "expires_at"],
    [{ expires_at: "soon" }, "expires_at"],
  ])("with %j is refused before the bank is asked", async (more, param) => {
    const shop = await hosted();
    const before = shop.bank.calls.filter((call) => !call.includes("token"));
    expect(await thrownBy(shop.request(more))).toMatchObject({ code: "invalid_option", param });
    expect(shop.bank.calls.filter((call) => !call.includes("token"))).toEqual(before);
  });

  test("needs the option, a period that a bank knows, and a subscription that runs", async () => {
    const shop = await hosted();
    const subscription = await shop.find();
    for (const wrong of [
      { interval_count: 2 },
      { currency: "USD" },
      { status: "canceled" as const },
    ])
      expect(
        await thrownBy(shop.request({ subscription: { ...subscription, ...wrong } })),
      ).toMatchObject({ code: "invalid_option", param: "subscription" });
  });
});
