import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { Agent, createServer, request } from "node:https";
import { TLSSocket } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Order } from "vitrine";
import { toNode } from "vitrine/node";
import { chargeResult } from "../../../adapters/payments/pix/results.ts";
import { createAuthority, type Identity } from "../../support/certificates.ts";
import { brCode, receivePix } from "./books.ts";
import { callbackSecret } from "./fake-bank.ts";
import { chargeIn, endBanksAfterEach } from "./setup.ts";
import { pixShop } from "./shop.ts";

endBanksAfterEach();

describe("a message about several charges", () => {
  const shopOfThree = async () => {
    const shop = await pixShop();
    const orders: Order[] = [];
    for (let at = 0; at < 3; at += 1) orders.push((await shop.submit()).order);
    const books = shop.bank.books();
    const pix = [...books.charges.values()].map((charge) => receivePix(books, charge));
    shop.bank.outbox.take();
    const tell = (named: readonly object[] = pix) =>
      shop.notify({
        gateway: "pix",
        body: JSON.stringify({ pix: named }),
        query: `?secret=${callbackSecret}`,
      });
    const statuses = async () =>
      Promise.all(orders.map(async (order) => (await shop.order(order)).status));
    const timesPaid = async () => {
      await shop.storefront.drainWebhooks();
      return shop.webhooks.filter(({ type }) => type === "order.paid").length;
    };
    return { ...shop, pix, tell, statuses, timesPaid };
  };

  test("applies those that can be read, once, and asks for the others again with 503", async () => {
    const shop = await shopOfThree();
    const unreadable = shop.pix[1]?.txid ?? "";
    shop.bank.wire.choose = ({ path }) => (path.endsWith(unreadable) ? "lose_answer" : null);

    expect([await shop.tell(), await shop.tell()]).toEqual([503, 503]);
    expect(await shop.statuses()).toEqual(["paid", "pending", "paid"]);
    expect(shop.errors.length).toBeGreaterThan(0);

    shop.bank.wire.choose = () => null;
    expect([await shop.tell(), await shop.tell()]).toEqual([200, 200]);
    expect(await shop.statuses()).toEqual(["paid", "paid", "paid"]);
    expect(await shop.timesPaid()).toBe(3);
  });

  test("applies what is shown of a charge, and asks again for a Pix that is not shown", async () => {
    const shop = await shopOfThree();
    const [first] = shop.pix;
    const later = { ...first, endToEndId: "E1234567820260101000000000000001" };
    expect(await shop.tell([later])).toBe(503);
    expect(await shop.statuses()).toEqual(["paid", "pending", "pending"]);
    expect(shop.errors.join()).toContain("does not show the Pix E1234567820260101");
  });

  test("reads a charge whose Pix the bank does not name", async () => {
    const shop = await shopOfThree();
    expect(await shop.tell([{ txid: shop.pix[0]?.txid }])).toBe(200);
    expect(await shop.statuses()).toEqual(["paid", "pending", "pending"]);
  });

  test("applies the payment beside a refund that cannot be read", async () => {
    const shop = await shopOfThree();
    const [pix] = shop.pix;
    Object.assign(pix ?? {}, { devolucoes: [{ id: "D1", valor: "ten" }, null] });
    expect(await shop.tell([pix ?? {}])).toBe(503);
    expect(await shop.statuses()).toEqual(["paid", "pending", "pending"]);

    // The document does not allow such an answer.
    expect((shop.bank.complaints as string[]).splice(0)).not.toEqual([]);
  });
});

describe("what a bank may send", () => {
  const pixOf = (txid: unknown) => ({ endToEndId: "E1", txid, valor: "20.00", horario: "now" });
  test.each([
    ["a trial of the address", {}],
    ["an empty list", { pix: [] }],
    ["Pix without an id", { pix: [null, 5, "text", [], {}, pixOf(5), pixOf(null)] }],
    ["an id that is no txid", { pix: [pixOf("../../webhook"), pixOf("a".repeat(36))] }],
    ["a Pix of another product", { pix: [pixOf("abcdefghijklmnopqrstuvwxyz123456")] }],
    ["a message of another kind", { recs: [{ idRec: "RR1", status: "APROVADA" }] }],
    ["a list at the top", []],
  ])("%s is answered with 200 and changes nothing", async (_name, message) => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const body = JSON.stringify(message);
    const query = `?secret=${callbackSecret}`;
    expect(await shop.notify({ gateway: "pix", body, query })).toBe(200);
    expect((await shop.order(order)).status).toBe("pending");
    expect(shop.errors).toEqual([]);
  });

  test("unknown fields beside the known ones change nothing of a payment", async () => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const pix = receivePix(shop.bank.books(), shop.charge());
    shop.bank.outbox.take();
    const message = { pix: [{ ...pix, pagador: { cpf: "1" }, gnExtras: [1] }], versao: 3 };
    const query = `?secret=${callbackSecret}`;
    const body = JSON.stringify(message);
    expect(await shop.notify({ gateway: "pix", body, query })).toBe(200);
    expect((await shop.order(order)).status).toBe("paid");
  });
});

describe("what a bank may answer about a charge", () => {
  const txid = "a".repeat(26);
  const now = Date.UTC(2026, 0, 1, 12);
  const charge = {
    txid,
    status: "ATIVA",
    calendario: { criacao: "2026-01-01T11:59:00Z", expiracao: 3600 },
    valor: { original: "20.00" },
    pixCopiaECola: brCode("pix.example.com/qr/v2/1", "20.00"),
  };
  const read = (more: object) => chargeResult({ ...charge, ...more }, { txid, now, asked: 2000 });
  const ends = Date.UTC(2026, 0, 1, 12, 59);

  test.each([
    ["in UTC", "2026-01-01T11:59:00.000Z", ends],
    ["in Brasília's time", "2026-01-01T08:59:00-03:00", ends],
    ["without a zone, so that nobody knows", "2026-01-01T08:59:00", undefined],
    ["that is no time", "yesterday", undefined],
  ])("a time %s", (_name, criacao, expected) => {
    const result = read({ calendario: { criacao, expiracao: 3600 } });
    expect(result.status).toBe("pending");
    expect(result.expires_at).toBe(expected);
    expect(result.next_action).toMatchObject({ type: "qr_code", text: charge.pixCopiaECola });
  });

  test.each([
    ["a status of a later version", { status: "EM_ANALISE" }, "pending"],
    ["a lifetime as text", { calendario: { ...charge.calendario, expiracao: "3600" } }, "pending"],
    ["an amount as a number, where ours is known", { valor: { original: 20 } }, "pending"],
    ["a removal of a later kind", { status: "REMOVIDA_PELO_JUIZ" }, "failed"],
    ["no list of Pix", { pix: null }, "pending"],
  ])("%s leaves it %s", (_name, more, status) => expect(read(more).status).toBe(status));

  test.each([
    ["a Pix that is null", { pix: [null] }],
    ["a Pix without an id", { pix: [{ valor: "20.00" }] }],
    ["a Pix whose amount is a number", { pix: [{ endToEndId: "E1", valor: 20 }] }],
    ["the end without a Pix", { status: "CONCLUIDA" }],
    ["another charge", { txid: "b".repeat(26) }],
  ])("%s is unknown, and never a failure", (_name, more) =>
    expect(() => read(more)).toThrow(/bank/),
  );
});

describe("a callback by mutual TLS", () => {
  const authority = createAuthority("Authority of the bank");
  const host = createAuthority("Authority of the host").issue("shop.test");

  /** The host's HTTPS server asks for the bank's certificate, and the gateway looks at it. */
  const mount = async () => {
    const mtls = (given: unknown): boolean => {
      const { socket } = given as IncomingMessage;
      return socket instanceof TLSSocket && socket.authorized;
    };
    const shop = await pixShop({ pix: { callback: { mtls } } });
    const server = createServer(
      {
        cert: host.certificate,
        key: host.key,
        ca: authority.ca,
        requestCert: true,
        rejectUnauthorized: false,
      },
      toNode(shop.storefront.notifications),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };

    const { order } = await shop.submit();
    receivePix(shop.bank.books(), shop.charge());
    const [message] = shop.bank.outbox.take();
    const send = (identity?: Identity): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const shown = identity && { cert: identity.certificate, key: identity.key };
        const agent = new Agent({ ...shown, rejectUnauthorized: false });
        const path = "/notifications/gateways/pix/test/pix";
        const sent = request({ port, path, method: "POST", agent });
        sent.on("response", (answer) => {
          answer.resume().on("end", () => resolve(answer.statusCode));
          answer.on("close", () => agent.destroy());
        });
        sent.on("error", reject).end(message?.body);
      });
    return { ...shop, paid: order, send };
  };

  test("counts with the bank's certificate, and with no other one", async () => {
    const shop = await mount();
    expect(await shop.send()).toBe(400);
    expect(await shop.send(createAuthority("Authority of a thief").issue("bank.test"))).toBe(400);
    expect((await shop.order(shop.paid)).status).toBe("pending");
    expect(chargeIn(shop.bank.books(), shop.charge().txid).pix).toHaveLength(1);

    expect(await shop.send(authority.issue("bank.test"))).toBe(200);
    expect((await shop.order(shop.paid)).status).toBe("paid");
  });
});
