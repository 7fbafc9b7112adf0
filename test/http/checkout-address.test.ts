import { expect, test } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions } from "vitrine";

const open = (options: Partial<StorefrontOptions>) =>
  createStorefront({
    storage: memoryStorage(),
    publicUrl: "https://shop.example.com",
    ...options,
  });

/** The address that a buyer is sent to. */
async function addressOf(storefront: ReturnType<typeof open>): Promise<string> {
  const { owner } = storefront;
  await storefront.migrate();
  const store = await owner.stores.create({ name: "Loja", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, "https://loja.example.com/back");
  const input = { name: "Coffee", price: 3450, currency: "BRL" };
  const product = await owner.products.create(store.id, input);
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" });

  const response = await storefront.handler(
    new Request("https://shop.example.com/v1/checkout/sessions", {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": "first",
      },
      body: JSON.stringify({
        items: [{ product_id: product.id, quantity: 1 }],
        success_url: "https://loja.example.com/back",
        cancel_url: "https://loja.example.com/back",
      }),
    }),
  );
  const body: unknown = await response.json();
  expect(body).toMatchObject({ data: { checkout_url: expect.any(String) } });
  return (body as { data: { checkout_url: string } }).data.checkout_url;
}

test.each<[Partial<StorefrontOptions>, string]>([
  [{}, "https://shop.example.com/pay/"],
  [{ checkout: {} }, "https://shop.example.com/pay/"],
  [{ checkout: { baseUrl: undefined } }, "https://shop.example.com/pay/"],
  [{ publicUrl: "http://localhost:3000/" }, "http://localhost:3000/pay/"],
  [{ checkout: { baseUrl: "https://pay.example.com/c" } }, "https://pay.example.com/c/"],
])("with %j the buyer goes to %s, where the page answers", async (options, start) => {
  const storefront = open(options);
  const address = await addressOf(storefront);
  expect(address.startsWith(start)).toBe(true);

  const page = await storefront.checkoutPage.handler(new Request(address), { ip: "192.0.2.1" });
  expect(page?.status).toBe(200);
  expect(await page?.text()).toContain("Coffee");
});

test.each<[Partial<StorefrontOptions>, string]>([
  [{ publicUrl: undefined, docsUrl: "https://d.example.com" }, "is missing: give the address of"],
  [{ basePath: "/pay" }, "where this storefront answers something else"],
  [{ notificationsPath: "/pay" }, "where this storefront answers something else"],
])("%j has no default page: it fails at start-up and says what to give", (options, hint) => {
  expect(() => open(options)).toThrow(
    expect.objectContaining({
      code: "invalid_option",
      param: "checkout.baseUrl",
      message: expect.stringContaining(hint),
    }),
  );
  const checkout = { baseUrl: "https://pay.example.com/c" };
  expect(() => open({ ...options, checkout })).not.toThrow();
});
