import { describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe("the address that a gateway sends the buyer to", () => {
  const gateway = (redirect_url: unknown): PaymentGateway => ({
    id: "psp",
    livemode: false,
    methods: () => [],
    createPayment: async ({ id, amount, currency }) => ({
      status: "requires_action",
      reference: `psp_${id}`,
      amount,
      currency,
      next_action: { type: "redirect", url: redirect_url as string },
    }),
  });
  async function submit(redirect_url: unknown, storage: Storage = memoryStorage()) {
    const shop = await createShop(storage, { gateways: [gateway(redirect_url)] });
    const method = await shop.owner.paymentMethods.create(shop.a.id, {
      type: "card",
      name: "Card",
      currencies: ["BRL"],
      gateway: "psp",
    });
    const token = shop.tokenOf(await shop.session());
    const result = await shop.storefront.checkout.submit(token, { payment_method_id: method.id });
    const form = new Request(`https://pay.example.com/c/${token}`, {
      method: "POST",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "sec-fetch-site": "same-origin",
      },
      body: new URLSearchParams({
        action: "pay",
        payment_method_id: method.id,
        name: "Ana",
        email: "ana@example.com",
      }),
    });
    const page = await shop.storefront.checkoutPage.handler(form);
    return { result, page, errors: shop.errors };
  }

  test.each([
    ["https://psp.example.com/3ds?a=€&b=ü", "https://psp.example.com/3ds?a=%E2%82%AC&b=%C3%BC"],
    ["https://bücher.example/pay", "https://xn--bcher-kva.example/pay"],
    ["http://localhost:4242/pay", "http://localhost:4242/pay"],
  ])("that is an address is handed on as URL writes it: %s", async (given, sent) => {
    const { result, page, errors } = await submit(given);
    expect([result.status, result.redirect_url]).toEqual(["requires_action", sent]);
    expect([page.status, page.headers.get("location"), errors]).toEqual([303, sent, []]);
  });

  test.each(storages)("is kept and dropped alike on %s", async (_name, open) => {
    const address = "https://psp.example.com/€";
    const kept = await submit(address, await open());
    expect(kept.page.headers.get("location")).toBe(new URL(address).href);
    const dropped = await submit("javascript:alert(1)", await open());
    expect([dropped.result.redirect_url, dropped.page.status]).toEqual([null, 303]);
    expect(dropped.page.headers.get("location")).toMatch(/^\/c\/str_/);
  });

  test.each([
    "http://psp.example.com/3ds",
    "javascript:alert(1)",
    "//psp.example.com",
    "/relative",
    "https://",
    "",
    42,
    { href: "https://psp.example.com" },
  ])("that is none is dropped and reported: %j", async (given) => {
    const { result, page, errors } = await submit(given);
    expect([result.status, result.redirect_url]).toEqual(["pending", null]);
    // The page leads to itself, and says there how the payment stands.
    expect([page.status, page.headers.get("location")]).toEqual([
      303,
      expect.stringMatching(/^\/c\/str_/),
    ]);
    expect(errors.length).toBeGreaterThan(0);
    expect(String(errors[0])).toMatch(/next_action/);
  });
});
