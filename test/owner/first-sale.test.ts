import { expect, test } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions } from "vitrine";

const start = (options: Partial<StorefrontOptions>) =>
  createStorefront({
    storage: memoryStorage(),
    docsUrl: "https://docs.example.com/errors",
    sealKey: new Uint8Array(32).fill(1),
    ...options,
  });

/** Makes a shop and a session, and gives the session's address. */
async function addressOf(options: Partial<StorefrontOptions>): Promise<string> {
  const { owner, handler } = start(options);
  const store = await owner.stores.create({
    name: "Armazém",
    currency: "BRL",
    headless_enabled: true,
    return_urls: ["https://shop.example.com/done"],
    payment_methods: [{ type: "pix", name: "Pix", currencies: ["BRL"] }],
  });
  const product = await owner.products.create(store.id, {
    name: "Coffee",
    price: 3450,
    currency: "BRL",
  });
  const { key } = await owner.keys.create({
    store_id: store.id,
    livemode: false,
    kind: "secret",
  });

  const response = await handler(
    new Request("https://api.example.com/v1/checkout/sessions", {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "one",
      },
      body: JSON.stringify({
        items: [{ product_id: product.id, quantity: 1 }],
        success_url: "https://shop.example.com/done",
        cancel_url: "https://shop.example.com/done",
      }),
    }),
  );
  const body = await response.json();
  expect([response.status, body]).toEqual([201, expect.anything()]);
  return body.data.checkout_url;
}

const publicUrl = "https://api.example.com";

test("three calls of the owner make a shop that sells, on a page below /pay of publicUrl", async () => {
  expect(await addressOf({ publicUrl })).toMatch(/^https:\/\/api\.example\.com\/pay\/[\w.-]{20,}$/);
  expect(await addressOf({ publicUrl: `${publicUrl}/`, checkout: {} })).toMatch(
    /^https:\/\/api\.example\.com\/pay\/[\w.-]{20,}$/,
  );
});
