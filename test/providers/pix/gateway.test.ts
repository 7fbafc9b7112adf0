import { describe, expect, test } from "vitest";
import { type PixAccount, type PixOptions, pixGateway } from "vitrine/pix";
import { fromPixAmount, toPixAmount } from "../../../adapters/payments/pix/amounts.ts";
import { crc16, isBrCode } from "../../../adapters/payments/pix/br-code.ts";
import { createAuthority } from "../../support/certificates.ts";
import { brCode, receivePix } from "./books.ts";
import { pixJudge } from "./judge.ts";
import { bankMessage, endBanksAfterEach, gatewayOf, judgedBank } from "./setup.ts";
import { pixShop } from "./shop.ts";

endBanksAfterEach();

const authority = createAuthority();
const account: PixAccount = {
  clientId: "client",
  clientSecret: "secret",
  ...authority.issue("merchant.test"),
  pixKey: "shop@example.com",
};
const options: PixOptions = {
  baseUrl: "https://pix.example.com/api/v2",
  account,
  callback: { secret: "callback-secret-of-a-test" },
};

describe("options", () => {
  const other = authority.issue("other.test");
  const wrong: readonly [string, string, object][] = [
    ["baseUrl", "http", { baseUrl: "http://pix.example.com/api" }],
    ["baseUrl", "no address", { baseUrl: "pix.example.com" }],
    ["baseUrl", "a query", { baseUrl: "https://pix.example.com/api?v=2" }],
    ["tokenUrl", "http", { tokenUrl: "http://pix.example.com/token" }],
    ["account", "nothing", { account: undefined }],
    ["account", "an empty Pix key", { account: { ...account, pixKey: "" } }],
    ["account", "an unreadable certificate", { account: { ...account, certificate: "cert.pem" } }],
    ["account", "an unreadable key", { account: { ...account, key: "key.pem" } }],
    ["account", "another certificate's key", { account: { ...account, key: other.key } }],
    ["callback", "nothing", { callback: undefined }],
    ["callback", "a short secret", { callback: { secret: "short" } }],
    ["callback", "an empty secret beside mtls", { callback: { secret: "", mtls: () => false } }],
    ["livemode", "text", { livemode: "yes" }],
    ["liveMode", "a name that nothing reads", { liveMode: false }],
    ["headers", "text", { headers: "X-Key: 1" }],
    ["now", "a time", { now: 1_700_000_000_000 }],
  ];
  test.each(wrong)("%s: %s is refused at the start", (param, _name, given) => {
    const asGiven = { ...options, ...given } as PixOptions;
    expect(() => pixGateway(asGiven)).toThrow(
      expect.objectContaining({ code: "invalid_option", param }),
    );
  });

  test.each([undefined, null, "https://pix.example.com"])("%j in place of them", (given) => {
    expect(() => pixGateway(given as never)).toThrow("pixGateway takes an object of options.");
  });

  test("an account that a function gives is checked before an order is written", async () => {
    const shop = await pixShop({ pix: { account: () => ({ ...account, key: other.key }) } });
    await expect(shop.submit()).rejects.toThrow();
    expect((await shop.call("GET", "/orders")).body).toMatchObject({ data: [] });
  });
});

test.each([
  [1, "0.01"],
  [10, "0.10"],
  [12_345, "123.45"],
  [999_999_999_999, "9999999999.99"],
])("%i cents are %s for the bank", (cents, text) => {
  expect(toPixAmount(cents)).toBe(text);
  expect(fromPixAmount(text)).toBe(cents);
});

test.each(["1", "1.0", "1.000", "-1.00", "1,00", "1e2.00", "12345678901.00", 1, null])(
  "%s is no amount of the bank",
  (text) => expect(fromPixAmount(text)).toBeNull(),
);

describe("the copy-and-paste text", () => {
  const code = brCode("pix.example.com/qr/v2/1", "20.00");
  const sealed = (text: string) => {
    const start = text.slice(0, -4);
    return start + crc16(start).toString(16).toUpperCase().padStart(4, "0");
  };

  test("has the checksum CRC-16/CCITT-FALSE", () => expect(crc16("123456789")).toBe(0x29_b1));

  test("is taken when fields, checksum and amount are right", () => {
    expect(isBrCode(code, 2000)).toBe(true);
    expect(isBrCode(code.toLowerCase().replace("br.gov", "BR.GOV"), 2000)).toBe(false);
  });

  test.each([
    ["nothing", undefined],
    ["empty text", ""],
    ["a changed checksum", `${code.slice(0, -1)}${code.endsWith("0") ? "1" : "0"}`],
    ["a changed place", code.replace("SAO PAULO", "SAO PEDRO")],
    ["another amount", sealed(code.replace("540520.00", "540521.00"))],
    ["another currency", sealed(code.replace("5303986", "5303840"))],
    ["no Pix", sealed(code.replace("br.gov.bcb.pix", "br.gov.bcb.xip"))],
    ["a wrong length", sealed(code.replace("540520.00", "540620.00"))],
    ["text after it", `${code} `],
  ])("with %s is refused", (_name, text) => expect(isBrCode(text, 2000)).toBe(false));

  test("that is wrong costs neither status nor reference: it is dropped and reported", async () => {
    const shop = await pixShop();
    const { order, token } = await shop.submit();
    shop.charge().pixCopiaECola = "wrong";
    await shop.storefront.checkout.resume(token);
    expect((await shop.order(order)).status).toBe("pending");
    expect(shop.errors.join()).toContain("next_action cannot be used");
  });
});

describe("messages", () => {
  const read = (query: string, given: Partial<PixOptions> = {}) =>
    pixGateway({ ...options, ...given }).parseNotification?.(bankMessage('{"pix":[]}', query));

  test.each([
    "?secret=callback-secret-of-a-test",
    "?secret=callback-secret-of-a-test/pix",
    "/pix?secret=callback-secret-of-a-test&store_id=str_1",
  ])("at %s are the bank's", async (query) => expect(await read(query)).toEqual([]));

  test.each(["", "?secret=", "?secret=callback-secret-of-a-tesT", "?secret=callback"])(
    "at %s are refused",
    async (query) => expect(read(query)).rejects.toThrow("does not come from the bank"),
  );

  test("with a client certificate are the bank's when the host says so", async () => {
    expect(await read("", { callback: { mtls: () => true } })).toEqual([]);
    await expect(read("", { callback: { mtls: () => false } })).rejects.toThrow(
      "does not come from the bank",
    );
  });

  test("about a charge of another product or account tell nothing", async () => {
    const bank = await judgedBank();
    const pix = [{ txid: "abcdefghijklmnopqrstuvwxyz123456", endToEndId: "E1" }, { valor: "1.00" }];
    const message = bankMessage(JSON.stringify({ pix }));
    expect(await gatewayOf(bank).parseNotification?.(message)).toEqual([]);
  });
});

test("each store's charge is made with the store's own account", async () => {
  const bank = await judgedBank();
  const gateway = gatewayOf(bank, { account: (store_id) => bank.account(store_id.slice(4)) });
  expect(await gateway.account?.("str_a")).toBe("a@shop.example.com");
  expect(await gateway.account?.("str_b")).toBe("b@shop.example.com");
});

describe("the judge", () => {
  const exchange = { method: "PUT", path: "/cob/{txid}" };
  const charge = {
    calendario: { expiracao: 60 },
    valor: { original: "1.00" },
    chave: "shop@example.com",
  };

  test("takes a charge with a debtor, and refuses unknown, missing and wrong fields", () => {
    const judge = pixJudge();
    const devedor = { cpf: "12345678909", nome: "Ana" };
    expect(judge.request(exchange, { ...charge, devedor })).toEqual([]);
    expect(judge.request(exchange, { ...charge, colour: "red" })).not.toEqual([]);
    expect(judge.request(exchange, { ...charge, chave: undefined })).not.toEqual([]);
    expect(judge.request(exchange, { ...charge, valor: { original: "1" } })).not.toEqual([]);
    expect(judge.request(exchange, { ...charge, devedor: { nome: "Ana" } })).not.toEqual([]);
    expect(judge.answer(exchange, 200, charge)).not.toEqual([]);
  });

  test("finds that a message's Pix lacks its id", async () => {
    const shop = await pixShop();
    await shop.submit();
    const { endToEndId: _, ...pix } = receivePix(shop.bank.books(), shop.charge());
    expect(pixJudge().message({ pix: [pix] })).not.toEqual([]);
  });
});
