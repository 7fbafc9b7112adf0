import { describe, expect, test } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions } from "vitrine";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer, pay, send, visit } from "../support/checkout-visit.ts";

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'{store}`;

describe("what other people have written is shown as text", () => {
  test("names of the store, its products, methods and coupons", async () => {
    const shop = await openCheckoutShop({ store: { name: hostile } });
    const product = await shop.product(hostile, 100, "x");
    await shop.method("other", hostile);
    const { url } = await shop.session({ items: [{ product_id: product.id, quantity: 1 }] });
    for (const page of [
      await visit(shop, url),
      await pay(shop, url, { name: hostile, email: "" }),
    ]) {
      expect(page.html).not.toMatch(/<script>|<img src=x/);
      expect(page.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    }
  });

  test("all that is typed, also into fields that the page does not have", async () => {
    const shop = await openCheckoutShop();
    const { url } = await shop.session();
    const page = await send(shop, url, {
      action: "pay",
      attempt: hostile,
      name: hostile,
      email: hostile,
      tax_id: hostile,
      payment_method_id: hostile,
      outcome: hostile,
    });
    expect(page.status).toBe(422);
    expect(page.html).not.toMatch(/<script>|<img src=x/);
  });

  test("hidden fields that no page has written: nothing is paid for a version unseen", async () => {
    const shop = await openCheckoutShop();
    const { url, token } = await shop.session();
    const fields = { action: "pay", ...buyer, payment_method_id: shop.methods.pix.id };
    for (const version of ["-1", "0", "1x", "1e3", "99999999999999999999", hostile])
      expect([version, (await send(shop, url, { ...fields, version })).status]).toEqual([
        version,
        422,
      ]);
    expect((await shop.storefront.checkout.view(token)).order).toBeNull();

    const attempt = "x".repeat(5_000);
    expect((await send(shop, url, { ...fields, version: "1", attempt })).status).toBe(303);
    expect([shop.requests.length, shop.errors]).toEqual([1, []]);
  });

  test("an address is a link or a picture only where it is one of the web", async () => {
    const pictures = "https://cdn.example.com";
    const shop = await openCheckoutShop({
      pictures,
      store: { logo_url: "http://plain.example.com/logo.png", support_email: "a?bcc=b@c.example" },
    });
    const { url } = await shop.session();
    const page = await visit(shop, url);
    expect(page.html).toContain(`<img src="${pictures}/canvas-apron.svg" alt=""`);
    expect(page.html).toMatch(/loading="lazy" decoding="async" referrerpolicy="no-referrer"/);
    expect(page.html).not.toContain("plain.example.com");
    expect(page.html).toContain('href="mailto:a%3Fbcc%3Db@c.example"');
  });

  test("a gateway's code is no markup, and one that no QR code holds is text alone", async () => {
    const shop = await openCheckoutShop();
    const text = hostile.repeat(60);
    shop.behaviour.result = { next_action: { type: "qr_code", text, expires_at: null } };
    const { url } = await shop.session();
    await pay(shop, url, { payment_method_id: shop.methods.pix.id });
    const page = await visit(shop, url);
    expect(page.status).toBe(200);
    expect(page.html).not.toMatch(/<script>|<svg class="qr"/);
    expect(page.html).toContain("&lt;script&gt;");
  });
});

test("every page forbids inline code, frames, caches, indexes and the path in referrers", async () => {
  const shop = await openCheckoutShop();
  const { url } = await shop.session();
  const refused = await shop.storefront.checkoutPage.handler(new Request(url, { method: "POST" }));
  const pages = [await visit(shop, url), await visit(shop, `${shop.origin}/pay/none`)];
  for (const headers of [refused.headers, ...pages.map((page) => page.headers)]) {
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).toContain("form-action 'self' https:;");
    expect(policy).toContain("frame-ancestors 'none'; base-uri 'none'");
    expect(policy).not.toMatch(/unsafe|http:/);
    expect(headers.get("referrer-policy")).toBe("strict-origin");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-robots-tag")).toBe("noindex");
  }
  for (const { html } of pages) expect(html).not.toMatch(/ style=| on[a-z]+=|<style|javascript:/);

  const redirect = await pay(shop, url, { payment_method_id: shop.methods.card.id });
  expect(redirect.headers.get("referrer-policy")).toBe("strict-origin");
});

test("without pictures the page asks no other host for anything", async () => {
  const shop = await openCheckoutShop({
    pictures: "https://cdn.example.com",
    store: { logo_url: "https://cdn.example.com/logo.png" },
    checkoutPage: { pictures: false },
  });
  const page = await visit(shop, (await shop.session()).url);
  expect(page.html).not.toMatch(/<img/);
  expect(page.headers.get("content-security-policy")).toContain("img-src 'self';");
});

test("a method that is none is 405, and a form that is too large is none", async () => {
  const shop = await openCheckoutShop();
  const { url, token } = await shop.session();
  const { checkoutPage } = shop.storefront;
  const answer = await checkoutPage.handler(new Request(url, { method: "DELETE" }));
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  await send(shop, url, { action: "pay", ...buyer, name: "x".repeat(20_000) });
  expect((await shop.storefront.checkout.view(token)).order).toBeNull();
});

describe("the page's own files", () => {
  const ask = async (name: string) => {
    const shop = await openCheckoutShop({ checkoutPage: { brandColor: "#FFE600" } });
    const { html } = await visit(shop, (await shop.session()).url);
    const [, style = ""] = /href="([^"]+\.css)"/.exec(html) ?? [];
    const address = name === "own" ? style : name;
    return shop.storefront.checkoutPage.handler(new Request(shop.origin + address));
  };

  test("are kept for a year under a name that changes with them", async () => {
    const style = await ask("own");
    expect(style.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await style.text()).toContain("--brand: #ffe600; --on-brand: #000000;");
  });

  test("the icon has the brand colour, and the page's policy lets it load from its own origin", async () => {
    const shop = await openCheckoutShop({ checkoutPage: { brandColor: "#ffd400" } });
    const page = await visit(shop, (await shop.session()).url);
    const [, icon = ""] = /<link rel="icon" href="([^"]+)">/.exec(page.html) ?? [];
    expect(icon).toMatch(/^\/pay\/checkout-[0-9a-f]{8}-ffd400\.svg$/);
    expect(page.headers.get("content-security-policy")).toContain("img-src 'self'");
    const answer = await shop.storefront.checkoutPage.handler(new Request(shop.origin + icon));
    expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(await answer.text()).toMatch(/^<svg [\s\S]+fill="#ffd400"[\s\S]+<\/svg>$/);
    const lost = await visit(shop, `${shop.origin}/pay/none`);
    expect(lost.html).toMatch(/<link rel="icon" href="\/pay\/checkout-[0-9a-f]{8}\.svg">/);
  });

  test("of another version are this version's, and kept by nobody", async () => {
    const old = await ask("/pay/checkout-00000000-ffe600.css");
    expect([old.status, old.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });
});

describe("options that are wrong fail at start-up and say how to mend them", () => {
  const start = (checkoutPage: StorefrontOptions["checkoutPage"]) => () =>
    createStorefront({
      storage: memoryStorage(),
      publicUrl: "https://api.example.com",
      checkout: { baseUrl: "https://pay.example.com/c" },
      checkoutPage,
    });

  test.each([
    [{ brandColor: "green" }, /checkoutPage\.brandColor must be a colour like `#1a6b3c`/],
    [{ pictures: "no" }, /checkoutPage\.pictures must be true or false/],
    [{ coupons: "yes" }, /checkoutPage\.coupons must be true or false/],
    [{ endPage: 1 }, /checkoutPage\.endPage must be true or false/],
    [{ whatNext: { pt: " " } }, /checkoutPage\.whatNext\.pt must be a text of 1 to 2,000 char/],
    [{ whatNext: { pt: "x".repeat(2_001) } }, /checkoutPage\.whatNext\.pt must be a text of 1 to/],
    [{ whatNext: { "": "x" } }, /checkoutPage\.whatNext\. must be named by a language tag/],
    [{ whatNext: "Soon" }, /checkoutPage\.whatNext must be an object with texts by language, or a/],
    [{ texts: { pt_BR: {} } }, /checkoutPage\.texts\.pt_BR must be named by a language tag/],
    [{ texts: { pt: { pey: "x" } } }, /pt\.pey is no text of the page: did you mean pay, or see/],
    [{ texts: { pt: { pay: "{price}" } } }, /pt\.pay can hold \{amount\} and no other value: take/],
    [{ texts: "pt" }, /checkoutPage\.texts must be an object with texts by language/],
    [{ texts: { pt: { pay: 1 } } }, /checkoutPage\.texts\.pt\.pay must be a text/],
  ])("%j", (options, message) => {
    expect(start(options as StorefrontOptions["checkoutPage"])).toThrow(message);
  });

  test("a colour that a function gives wrongly costs no sale: it is reported", async () => {
    const shop = await openCheckoutShop({ checkoutPage: { brandColor: () => "green" } });
    expect((await visit(shop, (await shop.session()).url)).status).toBe(200);
    expect(String(shop.errors[0])).toContain("must give a colour");
  });
});
