import { expect, test } from "vitest";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer, send, visit } from "../support/checkout-visit.ts";

test("a cart that changed while its page was open is shown again, and nothing is paid", async () => {
  const shop = await openCheckoutShop();
  const { id, url, token } = await shop.session();
  const { html } = await visit(shop, url);
  const fieldOf = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";
  const [attempt, version] = [fieldOf("attempt"), fieldOf("version")];
  expect(version).toBe("1");

  await shop.change(id, { coupon_code: "BEMVINDO" });
  const form = { action: "pay", attempt, ...buyer, payment_method_id: shop.methods.pix.id };
  const refused = await send(shop, url, { ...form, version });
  expect(refused.status).toBe(422);
  expect(refused.text).toContain("O carrinho mudou desde que você abriu esta página");
  expect(refused.text).toContain("Desconto BEMVINDO");
  expect(refused.html).toContain('name="version" value="2"');
  expect((await shop.storefront.checkout.view(token)).order).toBeNull();

  expect((await send(shop, url, { ...form, version: "2" })).status).toBe(303);
});
