import { describe, expect, test } from "vitest";
import type { PaymentElement } from "vitrine/gateway";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { pay, send, visit } from "../support/checkout-visit.ts";
import { storages } from "../support/storages.ts";

const element: PaymentElement = {
  script: "https://js.bank.example/v1.js",
  origins: {
    script: ["https://js.bank.example"],
    connect: ["https://api.bank.example"],
    frame: ["https://js.bank.example", "https://*.bank.example"],
  },
  mount: "async () => async () => ({ status: 'ended' })",
};

const strict = "script-src 'self'; style-src 'self'; connect-src 'self'; img-src";
const opened =
  "script-src 'self' https://js.bank.example; style-src 'self'; " +
  "connect-src 'self' https://api.bank.example; " +
  "frame-src https://js.bank.example https://*.bank.example; img-src";

describe.each(storages)("a payment in the provider's own form, on %s", (_name, open) => {
  async function openShop() {
    const shop = await openCheckoutShop({ storage: await open(), element });
    const wallet = await shop.method("wallet", "Carteira");
    const session = await shop.session();
    const begin = (fields: Record<string, string> = { on_page: "1" }) =>
      pay(shop, session.url, { payment_method_id: wallet.id, ...fields });
    const policy = async (query = "") =>
      (await visit(shop, session.url + query)).headers.get("content-security-policy") ?? "";
    const leave = async () => {
      const { html } = await visit(shop, session.url);
      const [, attempt = ""] = /name="attempt" value="([^"]+)"/.exec(html) ?? [];
      return () => send(shop, session.url, { action: "provider", attempt });
    };
    return { shop, wallet, ...session, begin, policy, leave };
  }

  test("the policy lets the declared origins in while it waits, and at no other time", async () => {
    const { shop, begin, policy, token } = await openShop();
    expect(await policy()).toContain(strict);
    const answer = await begin();
    expect([answer.status, answer.location]).toEqual([303, `/pay/${token}`]);
    expect(await policy()).toContain(opened);

    expect(await policy("?change")).toContain(strict);
    await shop.tell(token, "succeeded");
    await shop.storefront.checkout.resume(token);
    expect(await policy()).toContain(strict);
    const other = await visit(shop, (await shop.session()).url);
    expect(other.headers.get("content-security-policy")).toContain(strict);
  });

  test("the page has no inline code, and its own part is a file that is kept", async () => {
    const { shop, begin, url } = await openShop();
    await begin();
    const { html } = await visit(shop, url);
    expect(html).not.toMatch(/<script>|<script[^>]*>[^<]| on[a-z]+=| style=/);
    const scripts = [...html.matchAll(/<script src="([^"]+)" defer>/g)].map(([, src]) => src ?? "");
    expect(scripts).toHaveLength(3);
    expect(scripts[1]).toBe(element.script);
    expect(scripts[2]).toMatch(/^\/pay\/element-[0-9a-f]{8}\.js$/);
    const file = await visit(shop, shop.origin + scripts[2]);
    expect(file.html).toContain(`const mount = ${element.mount};`);
    expect(file.headers.get("cache-control")).toContain("immutable");
    expect((await visit(shop, `${shop.origin}/pay/element-00000000.js`)).status).toBe(404);
  });

  test("a browser without scripts is sent to the provider's page", async () => {
    const { shop, begin } = await openShop();
    const answer = await begin({ on_page: "" });
    expect(answer.location).toMatch(/^https:\/\/bank\.example\.com\/pay/);
    expect(shop.requests.map(({ on_page }) => on_page)).toEqual([undefined]);
  });

  test("the way to the provider's page stays, and is gone once however often it is asked", async () => {
    const { shop, begin, leave, token } = await openShop();
    await begin();
    const click = await leave();
    const [first, second] = await Promise.all([click(), click()]);
    const third = await click();
    expect(third.location).toMatch(/^https:\/\/bank\.example\.com\/pay/);
    const ways = [third.location, `/pay/${token}`];
    for (const answer of [first, second]) expect(ways).toContain(answer.location);

    const { order, next_action } = await shop.storefront.checkout.view(token);
    expect([order?.status, order?.customer.name]).toEqual(["pending", "Ana Souza"]);
    expect(next_action?.type).toBe("redirect");
    expect(shop.requests).toHaveLength(2);
    const { data } = await shop.owner.events.list({ store_id: shop.store.id, livemode: true });
    expect(data.map(({ type }) => type)).toEqual(["order.created"]);
  });

  test("a payment that cannot be canceled any more keeps its form", async () => {
    const { shop, begin, leave } = await openShop();
    await begin();
    shop.behaviour.cancels = false;
    const answer = await (await leave())();
    expect(answer.status).toBe(409);
    expect(answer.text).toContain("não pode mais ser cancelado");
    expect(answer.html).toContain("cs_1");
    expect(shop.requests).toHaveLength(1);
  });

  test("one that was paid meanwhile is paid, and no second one begins", async () => {
    const { shop, begin, leave, token } = await openShop();
    await begin();
    const click = await leave();
    await shop.tell(token, "succeeded");
    expect((await click()).location).toMatch(/\/thanks\?session=cs_/);
    expect(shop.requests).toHaveLength(1);
  });

  test("back from the provider, what it adds to the address does not stay there", async () => {
    const { shop, begin, url, token } = await openShop();
    await begin();
    const added = "return&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2";
    const answer = await visit(shop, `${url}?${added}`);
    expect([answer.status, answer.location]).toEqual([303, `${new URL(url).pathname}?return`]);

    expect((await visit(shop, `${url}?return`)).text).toContain("o pagamento ainda não foi");
    expect(shop.asked).toHaveLength(1);
    await shop.tell(token, "succeeded");
    shop.advance(3_000);
    expect((await visit(shop, `${url}?return`)).location).toMatch(/\/thanks\?session=cs_/);
  });

  test.each([
    ["insufficient_funds", "Não há saldo suficiente"],
    ["stolen_card", "recusado"],
    ["<script>", "recusado"],
    ["", "recusado"],
  ])("a refusal %j is told in words", async (code, words) => {
    const { shop, begin, url } = await openShop();
    await begin();
    const answer = await visit(shop, `${url}?refused=${encodeURIComponent(code)}`);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(JSON.parse(answer.html).text).toContain(words);
  });
});

test("nothing but a payment in a form of the provider is led away by the page's button", async () => {
  const shop = await openCheckoutShop();
  const { url, token } = await shop.session();
  const early = await send(shop, url, { action: "provider" });
  expect(early.location).toBe(`/pay/${token}`);
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  await send(shop, url, { action: "provider" });
  expect(shop.requests).toHaveLength(1);
});

test("a gateway without an element is not asked for one, and its secret needs another page", async () => {
  const shop = await openCheckoutShop();
  const wallet = await shop.method("wallet", "Carteira");
  const { url } = await shop.session();
  await pay(shop, url, { payment_method_id: wallet.id, on_page: "1" });
  expect(shop.requests[0]).not.toHaveProperty("on_page");
  const page = await visit(shop, url);
  expect(page.text).toContain("não está disponível nesta página");
  expect(page.html).not.toContain("cs_1");
  expect(page.headers.get("content-security-policy")).toContain(strict);
});

test.each([
  ["https://js.bank.example; script-src *"],
  ["'unsafe-inline'"],
  ["*"],
  ["https://*"],
  ["http://js.bank.example"],
  ["https://js.bank.example/path"],
])("an element with the origin %j does not start", async (origin) => {
  const origins = { ...element.origins, script: [...element.origins.script, origin] };
  const start = openCheckoutShop({ element: { ...element, origins } });
  await expect(start).rejects.toMatchObject({ code: "invalid_option", param: "gateways" });
});
