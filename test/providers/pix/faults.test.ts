import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { openConnection } from "../../../adapters/payments/pix/connection.ts";
import { createAuthority } from "../../support/certificates.ts";
import type { FaultChoice, WireFault } from "../faults.ts";
import { heldOf, receivePix } from "./books.ts";
import { endBanksAfterEach, gatewayOf, judgedBank } from "./setup.ts";
import { pixShop } from "./shop.ts";

endBanksAfterEach();

const asks =
  (method: string, part: string, fault: WireFault): FaultChoice =>
  (request) =>
    request.method === method && request.path.includes(part) ? fault : null;
const none: FaultChoice = () => null;

const broken = ["lose_request", "lose_answer", "reset", "half_answer"] as const;

describe.each(broken)("while the wire does %s", (fault) => {
  test("to requests for a token, nothing is charged, and the order fails afterwards", async () => {
    const shop = await pixShop();
    shop.bank.wire.choose = asks("POST", "/oauth/token", fault);
    const { order, status } = await shop.submit();
    expect(status).toBe("pending");

    shop.bank.wire.choose = none;
    await shop.advanceClock(200_000);
    expect((await shop.order(order)).status).toBe("failed");
    expect(shop.bank.books().charges.size).toBe(0);
  });

  test("to new charges, the result is unknown until the bank is asked", async () => {
    const shop = await pixShop();
    shop.bank.wire.choose = asks("PUT", "/cob/", fault);
    const { order, status } = await shop.submit();
    expect(status).toBe("pending");

    shop.bank.wire.choose = none;
    await shop.advanceClock(200_000);
    const { size } = shop.bank.books().charges;
    expect(size).toBe(fault === "lose_request" ? 0 : 1);
    if (size === 0) return expect((await shop.order(order)).status).toBe("failed");

    receivePix(shop.bank.books(), shop.charge());
    await shop.bank.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("to look-ups, a message is answered with 503 and counts when it comes again", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    receivePix(shop.bank.books(), shop.charge());
    shop.bank.wire.choose = asks("GET", "/cob/", fault);
    await shop.bank.outbox.deliver();
    expect(shop.bank.outbox.waiting).toHaveLength(1);
    expect((await shop.order(order)).status).toBe("pending");

    shop.bank.wire.choose = none;
    await shop.bank.outbox.deliver();
    expect((await shop.order(order)).status).toBe("paid");
  });

  test("to refunds, the money goes back once", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const pix = receivePix(shop.bank.books(), shop.charge());
    await shop.bank.outbox.deliver();
    shop.bank.wire.choose = asks("PUT", "/devolucao/", fault);
    const refund = { ...shop.where, reference: "r1", amount: 500 };
    expect((await shop.storefront.orders.refund(order.id, refund)).status).toBe("pending");

    shop.bank.wire.choose = none;
    await shop.advanceClock(120_000);
    expect((await shop.order(order)).amount_refunded).toBe(500);
    expect(heldOf(pix)).toBe(1500);
  });
});

describe("a bank that never answers", () => {
  test("leaves the result of each call unknown when its time is over", async () => {
    const shop = await pixShop();
    await shop.submit();
    const { txid } = shop.charge();
    const pix = receivePix(shop.bank.books(), shop.charge());
    const { now } = shop;
    const gateway = gatewayOf(shop.bank, { now });
    const { signal } = new AbortController();
    const where = { store_id: shop.where.store_id, account: null };
    const query = (ends = AbortSignal.timeout(150)) => ({
      ...where,
      id: `pay_${txid}`,
      reference: txid,
      payment_reference: null,
      created_at: 0,
      signal: ends,
    });
    const refund = (ends?: AbortSignal) => ({
      ...query(ends),
      id: "rf_01K00000000000000000000000",
      repeat: false,
      payment_reference: pix.endToEndId,
      amount: 500,
      currency: "BRL",
      metadata: { ...shop.where, order_id: "ord_1", payment_id: "pay_1", refund_id: "rf_1" },
    });

    shop.bank.wire.choose = asks("POST", "/oauth/token", "silent");
    await expect(gatewayOf(shop.bank, { now }).getPayment?.(query())).rejects.toThrow(
      /abort|timeout/i,
    );

    shop.bank.wire.choose = none;
    expect((await gateway.getPayment?.(query(signal)))?.status).toBe("succeeded");
    shop.bank.wire.choose = asks("GET", "/cob/", "silent");
    await expect(gateway.getPayment?.(query())).rejects.toThrow(/abort|timeout/i);
    shop.bank.wire.choose = asks("PUT", "/devolucao/", "silent");
    await expect(gateway.refund?.(refund())).rejects.toThrow(/abort|timeout/i);

    shop.bank.wire.choose = none;
    const repeated = await gateway.refund?.(refund(signal));
    expect(repeated).toMatchObject({ status: "succeeded", amount: 500 });
    expect(heldOf(pix)).toBe(1500);
  });

  test("is given up by the connection itself, also before TLS begins", async () => {
    const bank = await judgedBank();
    bank.wire.choose = () => "silent";
    const deaf = createServer(() => {});
    await once(deaf.listen(0, "127.0.0.1"), "listening");
    const { port } = deaf.address() as { port: number };

    for (const url of [`${bank.baseUrl}/cob/1`, `https://localhost:${port}/`]) {
      const connection = openConnection(bank.account(), 150);
      const request = { method: "GET", url: new URL(url), headers: {} };
      const sent = connection.send(request, new AbortController().signal);
      await expect(sent).rejects.toThrow(/abort|timeout/i);
      connection.close();
    }
    deaf.close();
  });

  test("a bank whose certificate another authority signed gets no request", async () => {
    const bank = await judgedBank();
    const { ca } = createAuthority();
    const connection = openConnection({ ...bank.account(), ca });
    const request = { method: "GET", url: new URL(`${bank.baseUrl}/cob/1`), headers: {} };
    const sent = connection.send(request, new AbortController().signal);
    await expect(sent).rejects.toThrow("certificate");
    expect(bank.calls).toEqual([]);
    connection.close();
  });
});
