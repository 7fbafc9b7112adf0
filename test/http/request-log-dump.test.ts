import { describe, expect, test } from "vitest";
import { dumpedStorages } from "../support/dumped-storages.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";

/** What a client may send anywhere and the log must keep nowhere. */
const personal = [
  "ana@example.com",
  "Ana Souza",
  "123.456.789-09",
  "98765432100",
  "+55 11 98765-4321",
  "4111111111111111",
  "user_of_the_host_42",
  "SAVE10",
  "hk_live_sec_0123456789abcdef",
  "whsec_0123456789abcdef",
];

/** Gives the texts in turn, beginning with another one each time. */
function inTurn(first: number): () => string {
  let next = first;
  return () => personal[next++ % personal.length] ?? "";
}

/** Bodies with a text in every place that a client can fill. */
const bodiesWith = (shop: Shop, text: () => string): readonly object[] => {
  const line = { product_id: shop.product.id, quantity: 1 };
  const urls = { success_url: returnUrl, cancel_url: `${returnUrl}?who=${text()}` };
  const customer = { email: text(), discord_id: text() };
  return [
    { ...urls, items: [line], customer, metadata: { who: text() } },
    { ...urls, items: [line], customer: { email: "a@b.example", discord_id: text() } },
    { ...urls, items: [{ ...line, variables: { [text()]: text() } }], coupon_code: text() },
    {
      ...urls,
      items: [{ product_id: text(), quantity: text() }],
      [text()]: { [text()]: [text()] },
    },
    {
      ...urls,
      items: [{ ...line, [text()]: text() }, text(), [text()]],
      metadata: { a: { b: text() } },
    },
    { ...urls, items: [line], success_url: `https://other.example/${text()}?${text()}=${text()}` },
    {
      items: text(),
      customer: text(),
      metadata: text(),
      coupon_code: [text()],
      success_url: text(),
    },
  ];
};

/** Answers may hold what was sent, so `shop.call`, which searches them, is not used. */
async function sendAll(shop: Shop, text: () => string): Promise<void> {
  const { pub, sec } = shop.a.test;
  const encoded = (): string => encodeURIComponent(text());
  const send = async (path: string, body?: object | string, headers: object = {}) => {
    const request = new Request(`https://api.example.com/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${sec}`,
        "content-type": "application/json",
        referer: `https://shop.example.com/${encoded()}`,
        "user-agent": text(),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    await shop.storefront.handler(request, { ip: "203.0.113.9" });
  };
  const { token } = await shop.storefront.customers.issueToken({
    store_id: shop.a.id,
    livemode: false,
    customer_id: "user_of_the_host_42",
  });

  const bodies = bodiesWith(shop, text);
  const key = `key-${encoded()}`;
  for (const [index, body] of bodies.entries()) {
    const own = { "idempotency-key": `${key}-${index}` };
    await send("/checkout/sessions", body, own);
    await send("/checkout/sessions", body, {
      "idempotency-key": key,
      "x-service-customer-token": token,
    });
    await send("/coupons/validate", { code: text(), ...body });
  }
  await send("/checkout/sessions", `{"${text()}": ${text()}`, { "idempotency-key": key });
  for (const path of [
    `/products?search=${encoded()}`,
    `/products?${encoded()}=${encoded()}`,
    `/products/${encoded()}`,
    `/orders/${encoded()}`,
    `/checkout/sessions/${encoded()}`,
    `/${encoded()}`,
  ])
    await send(path);
  const asBuyer = { authorization: `Bearer ${pub}`, "x-service-customer-token": text() };
  await send("/customers/me/orders", undefined, asBuyer);
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe.each(dumpedStorages)("what %s stores of the request log", (_name, open) => {
  test("shows nobody's data, no key, no token and no query", async () => {
    const { storage, dump } = await open();
    const shop = await createShop(storage, {
      limits: { checkout: null, coupons: null },
      requestLog: { bodies: "all" },
      // The log of the host has paths and queries: this one would be searched for them.
      logger: quiet,
    });
    for (const first of [0, 3, 7]) await sendAll(shop, inTurn(first));
    await shop.owner.requests.list({ store_id: shop.a.id, livemode: false });

    const text = ((await dump()).get("request_blocks") ?? "").toLowerCase();
    // What is looked through holds the requests, their bodies and their differences.
    expect(text).toContain(shop.product.id.toLowerCase());
    expect(text).toContain("different_body");
    expect(text).toContain("customer.email");
    const traces = [...personal, ...Object.values(shop.a.test), returnUrl, "203.0.113.9", "who="];
    for (const trace of traces) {
      expect(text.includes(trace.toLowerCase()), trace).toBe(false);
      expect(text.includes(encodeURIComponent(trace).toLowerCase()), trace).toBe(false);
    }
  });
});
