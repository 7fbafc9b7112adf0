import { expect, onTestFinished, test } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import { customerBrowser } from "../support/customer-visit.ts";
import { createShop } from "../support/shop.ts";

const baseUrl = "https://shop.example.org/account";

/** A gateway that makes no payment until it is let go. */
function heldGateway() {
  const sandbox = sandboxGateway();
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return {
    letGo,
    gateway: {
      ...sandbox,
      createPayment: async (request: Parameters<typeof sandbox.createPayment>[0]) => {
        await held;
        return sandbox.createPayment(request);
      },
    },
  };
}

test("the checkout page says within requestTimeoutMs that it is late, and then shows what was paid", async () => {
  const { gateway, letGo } = heldGateway();
  const errors: unknown[] = [];
  const shop = await createShop(memoryStorage(), {
    requestTimeoutMs: 1_500,
    gateways: [gateway],
    onError: (error) => void errors.push(error),
  });
  const made = await shop.session();
  const url: string = made.body.data.checkout_url;
  const page = async (init?: RequestInit) => {
    const request = new Request(url, { headers: { "accept-language": "en" }, ...init });
    const answer = await shop.storefront.checkoutPage.handler(request);
    return { status: answer.status, headers: answer.headers, html: await answer.text() };
  };
  const form = await page();
  expect(form.status).toBe(200);
  const attempt = /name="attempt" value="([^"]*)"/.exec(form.html)?.[1] ?? "";
  const origin = new URL(url).origin;
  const fields = {
    action: "pay",
    attempt,
    name: "Ana Sá",
    email: "ana@example.com",
    payment_method_id: shop.a.method_id,
  };
  const began = performance.now();
  const late = await page({
    method: "POST",
    headers: { origin, "accept-language": "en" },
    body: new URLSearchParams(fields),
  });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(late.html).toContain("do not pay again");
  expect(late.html).toContain(`href="${new URL(url).pathname}"`);
  expect(errors.map(String)).toEqual([expect.stringContaining("unavailable")]);

  letGo();
  const orders = async () =>
    (await shop.owner.orders.list({ store_id: shop.a.id, livemode: false })).data;
  await expect.poll(async () => (await orders()).map(({ status }) => status)).toEqual(["paid"]);
  const paid = await page();
  expect([paid.status, paid.html.includes('name="payment_method_id"')]).toEqual([200, false]);
});

test("the customer page says within requestTimeoutMs that it is late", async () => {
  const storage = memoryStorage();
  const shop = await createShop(storage, {
    requestTimeoutMs: 1_500,
    customerPage: { baseUrl },
    onError: () => {},
  });
  const { findStore } = storage.access;
  let letGo = (): void => {};
  onTestFinished(() => letGo());
  await shop.buy({}, {}, { customer: { id: "u_ana", name: "Ana", email: "ana@example.com" } });
  const { url } = await shop.owner.customers.pageLink({
    store_id: shop.a.id,
    livemode: false,
    customer_id: "u_ana",
  });
  const browser = customerBrowser(shop.storefront, baseUrl, "en");
  await browser.post(url, {});
  expect((await browser.get()).status).toBe(200);
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  Object.assign(storage.access, {
    findStore: (id: string) => held.then(() => findStore.call(storage.access, id)),
  });
  const late = await browser.get();
  expect([late.status, late.headers.get("retry-after")]).toEqual([503, "10"]);
  expect(late.html).toContain("it then shows what was done");
});
