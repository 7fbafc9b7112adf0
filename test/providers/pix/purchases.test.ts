import { describe, expect, test } from "vitest";
import { faultOnce } from "../faults.ts";
import { shuffledWithRepeats } from "../outbox.ts";
import { irregularCpf } from "./api.ts";
import { addDevolution, heldOf, receivePix, settleDevolution } from "./books.ts";
import { bankMessage, endBanksAfterEach, only } from "./setup.ts";
import { pixShop } from "./shop.ts";

endBanksAfterEach();

type Wired = { readonly method: string; readonly path: string };
const asks =
  (method: string, part: string) =>
  (request: Wired): boolean =>
    request.method === method && request.path.includes(part);

describe("a Pix code", () => {
  test("is asked for under our id, shown, and paid by a message", async () => {
    const shop = await pixShop();
    const { order, status, next_action } = await shop.submit();

    const charge = shop.charge();
    expect({ status, next_action }).toEqual({
      status: "requires_action",
      next_action: {
        type: "qr_code",
        text: charge.pixCopiaECola,
        expires_at: shop.now() + 3_600_000,
      },
    });
    expect(charge).toMatchObject({
      txid: expect.stringMatching(/^[0-9A-Z]{26}$/),
      valor: { original: "20.00", modalidadeAlteracao: 0 },
      calendario: { expiracao: 3600 },
      chave: "one@shop.example.com",
    });

    receivePix(shop.bank.books(), charge);
    await shop.bank.outbox.deliver();
    expect(await shop.order(order)).toMatchObject({ status: "paid", amount_total: 2000 });
  });

  test("messages that come twice and in any order pay once", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const pix = receivePix(shop.bank.books(), shop.charge());
    addDevolution(shop.bank.books(), pix, { id: "bank1", valor: "3.00" });

    await shop.bank.outbox.deliver((all) => [...shuffledWithRepeats(all), ...all]);
    expect(await shop.order(order)).toMatchObject({
      status: "partially_refunded",
      amount_refunded: 300,
    });
    expect(heldOf(pix)).toBe(1700);
  });

  test("without any message the payment is found by asking", async () => {
    const shop = await pixShop();
    const { token } = await shop.submit();
    receivePix(shop.bank.books(), shop.charge());
    shop.bank.outbox.take();
    expect((await shop.storefront.checkout.resume(token)).status).toBe("paid");
  });

  test("a message that says more than the bank's books is not believed", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const { txid } = shop.charge();
    const pix = [{ txid, endToEndId: "E123", valor: "20.00", horario: "2026-01-01T00:00:00Z" }];
    const message = { livemode: false, ...bankMessage(JSON.stringify({ pix })) };
    await expect(shop.storefront.checkout.handleNotification("pix", message)).rejects.toMatchObject(
      { code: "service_unavailable" },
    );
    expect((await shop.order(order)).status).toBe("pending");
  });

  test("a message while the bank does not answer is asked for again, and pays then", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    receivePix(shop.bank.books(), shop.charge());
    shop.bank.wire.choose = faultOnce(asks("GET", "/cob/"), "lose_answer", 2);
    await shop.bank.outbox.deliver();
    expect(shop.bank.outbox.waiting).toHaveLength(1);
    shop.bank.wire.choose = () => null;
    await shop.bank.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("that nobody pays is removed at its end, and the order fails as expired", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    await shop.advanceClock(3_700_000);
    expect(shop.charge().status).toBe("REMOVIDA_PELO_USUARIO_RECEBEDOR");
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "expired" });
  });

  test("that the bank removes before its end is canceled, and expired after it", async () => {
    for (const [expiracao, failure_code] of [
      [1, "canceled"],
      [0, "expired"],
    ] as const) {
      const shop = await pixShop();
      const { order, token } = await shop.submit();
      const charge = shop.charge();
      Object.assign(charge, { status: "REMOVIDA_PELO_PSP" });
      Object.assign(charge.calendario, { expiracao });
      await shop.storefront.checkout.resume(token);
      expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code });
    }
  });

  test("the buyer's cancel removes the charge, and a paid one is not canceled", async () => {
    const shop = await pixShop();
    const { token, order } = await shop.submit();
    await shop.storefront.checkout.cancel(token);
    expect(shop.charge().status).toBe("REMOVIDA_PELO_USUARIO_RECEBEDOR");
    expect(await shop.order(order)).toMatchObject({ status: "failed", failure_code: "canceled" });

    const paid = await pixShop();
    const second = await paid.submit();
    receivePix(paid.bank.books(), paid.charge());
    await paid.storefront.checkout.cancel(second.token);
    expect((await paid.order(second.order)).status).toBe("paid");
  });

  test("that is paid twice is paid by the first Pix, and the second one is a duplicate", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const first = receivePix(shop.bank.books(), shop.charge());
    const second = receivePix(shop.bank.books(), shop.charge());
    await shop.bank.outbox.deliver(shuffledWithRepeats);

    expect((await shop.order(order)).status).toBe("paid");
    const payments = await shop.storefront.orders.listPayments(order.id, shop.where);
    const references = payments.map((payment) => payment.payment_reference);
    expect(new Set(references)).toEqual(new Set([first.endToEndId, second.endToEndId]));
    await shop.advanceClock(1);
    expect(shop.alerts).toContain("duplicate_payment");
  });

  test("money of another amount does not pay the order, and the owner is told", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    receivePix(shop.bank.books(), shop.charge(), "19.99");
    await shop.bank.outbox.deliver();
    expect((await shop.order(order)).status).toBe("pending");
    await shop.advanceClock(1);
    expect(shop.alerts).toContain("payment_mismatch");
  });

  test("that is paid twice is found by asking as it is by messages", async () => {
    const shop = await pixShop();
    const { order, token } = await shop.submit();
    const wrong = receivePix(shop.bank.books(), shop.charge(), "19.99");
    await shop.advanceClock(1);
    const right = receivePix(shop.bank.books(), shop.charge());
    await shop.advanceClock(1);
    const late = receivePix(shop.bank.books(), shop.charge());
    shop.bank.outbox.take();

    expect((await shop.storefront.checkout.resume(token)).status).toBe("paid");
    const told = async () => {
      const payments = await shop.storefront.orders.listPayments(order.id, shop.where);
      return new Map(payments.map((one) => [one.payment_reference, [one.status, one.amount]]));
    };
    const money = new Map([
      [right.endToEndId, ["booked", 2000]],
      [wrong.endToEndId, ["duplicate", 1999]],
      [late.endToEndId, ["duplicate", 2000]],
    ]);
    expect(await told()).toEqual(money);

    // The bank's messages about the same money change nothing.
    shop.bank.books().send({ pix: [wrong, right, late] });
    await shop.bank.outbox.deliver();
    expect(await told()).toEqual(money);
  });

  test("in another currency is refused before an order is made", async () => {
    const shop = await pixShop({ currency: "USD" });
    await expect(shop.submit()).rejects.toMatchObject({ code: "currency_mismatch" });
    expect(shop.bank.calls).toEqual(["POST /oauth/token"].slice(0, shop.bank.calls.length));
  });
});

describe("answers that are lost", () => {
  test("the bank refuses for its buyer's tax id is asked for without the buyer, once", async () => {
    const shop = await pixShop();
    const customer = { name: "Ana", email: "ana@example.com", tax_id: irregularCpf };
    const { order, status } = await shop.submit({ customer });
    expect(status).toBe("requires_action");
    expect(shop.charge()).not.toHaveProperty("devedor");
    const puts = shop.bank.calls.filter((call) => call.startsWith("PUT /cob/"));
    expect(puts).toHaveLength(2);

    receivePix(shop.bank.books(), shop.charge());
    await shop.bank.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
    expect(shop.errors).toEqual([]);
  });

  test("a charge whose answer never came is found by its txid", async () => {
    const shop = await pixShop();
    shop.bank.wire.choose = faultOnce(asks("PUT", "/cob/"), "lose_answer", 2);
    const { token, status } = await shop.submit();
    expect(status).toBe("pending");

    await shop.advanceClock(200_000);
    const { next_action } = await shop.storefront.checkout.view(token);
    expect(next_action).toMatchObject({ type: "qr_code", text: shop.charge().pixCopiaECola });
  });

  test("a charge that the bank never heard of fails, and nothing can be paid", async () => {
    const shop = await pixShop();
    shop.bank.wire.choose = faultOnce(asks("PUT", "/cob/"), "lose_request", 2);
    const { order } = await shop.submit();
    await shop.advanceClock(200_000);
    expect((await shop.order(order)).status).toBe("failed");
    expect(shop.bank.books().charges.size).toBe(0);
  });

  test("wrong credentials fail the payment at once, and the host is told why", async () => {
    const bad = { clientSecret: "wrong" };
    const shop = await pixShop();
    const wrong = await pixShop({
      pix: { baseUrl: shop.bank.baseUrl, account: { ...shop.bank.account(), ...bad } },
    });
    const { order, status } = await wrong.submit();
    expect({ status, code: order.failure_code }).toEqual({ status: "failed", code: "error" });
    expect(wrong.errors.join()).toContain("invalid_client");
  });
});

describe("money that goes back", () => {
  const paid = async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const pix = receivePix(shop.bank.books(), shop.charge());
    await shop.bank.outbox.deliver();
    const refund = (amount: number) =>
      shop.storefront.orders.refund(order.id, { ...shop.where, reference: `r${amount}`, amount });
    return { ...shop, paid: order, pix, refundPart: refund };
  };

  test("a refund is a devolução under our id, and a repeat of its message changes nothing", async () => {
    const shop = await paid();
    const refund = await shop.refundPart(500);
    expect(refund.status).toBe("succeeded");
    expect(shop.pix.devolucoes).toMatchObject([{ id: refund.id.replace("_", ""), valor: "5.00" }]);
    await shop.bank.outbox.deliver(shuffledWithRepeats);
    expect(await shop.order(shop.paid)).toMatchObject({ amount_refunded: 500 });
  });

  test("a refund whose answer was lost is found, and no money moves twice", async () => {
    const shop = await paid();
    shop.bank.wire.choose = faultOnce(asks("PUT", "/devolucao/"), "lose_answer", 2);
    expect((await shop.refundPart(500)).status).toBe("pending");
    await shop.advanceClock(120_000);
    expect(await shop.order(shop.paid)).toMatchObject({ amount_refunded: 500 });
    expect(heldOf(shop.pix)).toBe(1500);
  });

  test("a refund under way that fails gives its amount back", async () => {
    const shop = await paid();
    shop.bank.books().refunds_are = "EM_PROCESSAMENTO";
    expect((await shop.refundPart(500)).status).toBe("pending");
    const [devolution] = shop.pix.devolucoes;
    if (!devolution) throw new Error("There is no refund.");
    settleDevolution(shop.bank.books(), shop.pix, devolution, "NAO_REALIZADO");
    await shop.bank.outbox.deliver();
    expect(await shop.order(shop.paid)).toMatchObject({ status: "paid", amount_refunded: 0 });
  });

  test("a refund after 90 days is refused before the bank is asked for it", async () => {
    const shop = await paid();
    await shop.advanceClock(90 * 86_400_000 + 60_000);
    const before = shop.bank.calls.length;
    expect((await shop.refundPart(500)).status).toBe("failed");
    expect(shop.bank.calls.slice(before)).not.toContain("PUT /pix/{e2eid}/devolucao/{id}");
    expect(shop.pix.devolucoes).toEqual([]);
  });

  test("a MED opens a dispute, which is lost once the money went back", async () => {
    const shop = await paid();
    const books = shop.bank.books();
    const med = { id: "MED1", valor: "20.00", natureza: "MED_FRAUDE" } as const;
    const devolution = addDevolution(books, shop.pix, { ...med, status: "EM_PROCESSAMENTO" });
    await shop.bank.outbox.deliver();
    expect((await shop.order(shop.paid)).status).toBe("chargeback");

    settleDevolution(books, shop.pix, devolution, "DEVOLVIDO");
    await shop.bank.outbox.deliver(shuffledWithRepeats);
    const order = await shop.order(shop.paid);
    expect(order).toMatchObject({ status: "chargeback", amount_refunded: 0 });
  });

  test("a MED that is not carried out leaves the order paid", async () => {
    const shop = await paid();
    const med = { id: "MED1", valor: "20.00", natureza: "MED_OPERACIONAL" } as const;
    const books = shop.bank.books();
    const devolution = addDevolution(books, shop.pix, { ...med, status: "EM_PROCESSAMENTO" });
    settleDevolution(books, shop.pix, devolution, "NAO_REALIZADO");
    await shop.bank.outbox.deliver();
    expect((await shop.order(shop.paid)).status).toBe("paid");
  });
});

describe("tokens", () => {
  test("one token serves many calls, and a refused one is replaced once", async () => {
    const shop = await pixShop();
    await Promise.all(Array.from({ length: 5 }, () => shop.submit()));
    const tokens = () => shop.bank.calls.filter((call) => call === "POST /oauth/token").length;
    expect(tokens()).toBe(1);

    shop.bank.forgetTokens();
    expect((await shop.submit()).status).toBe("requires_action");
    expect(tokens()).toBe(2);
    expect(shop.bank.books().charges.size).toBe(6);
  });
});

test("the address for messages is registered with the secret and the store", async () => {
  const shop = await pixShop();
  const { store_id } = shop.where;
  const url = "https://shop.example.com/notifications/gateways/pix/test";
  await shop.gateway.registerWebhook({ store_id, url });
  expect(only(shop.bank.webhooks)).toBe(
    `${url}?secret=callback-secret-of-a-test&store_id=${store_id}`,
  );
});
