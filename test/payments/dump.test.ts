import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { dumpedStorages } from "../support/dumped-storages.ts";
import { createShop, type Shop } from "../support/shop.ts";

test.each(dumpedStorages)(
  "nothing stored in %s shows a key, a token, a secret or an unmasked tax id",
  async (_name, open) => {
    const { storage, dump } = await open();
    const shop = await createShop(storage, { limits: { checkout: null } });
    const where = { store_id: shop.a.id, livemode: false };
    const secrets: string[] = [shop.a.test.pub, shop.a.test.sec, shop.a.live.pub, shop.a.live.sec];
    const { secret } = await shop.owner.endpoints.create({
      ...where,
      url: "https://hooks.example.com/x",
    });
    secrets.push(secret, secret.slice("whsec_".length));
    const { token } = await shop.storefront.customers.issueToken({ ...where, customer_id: "u_1" });
    secrets.push(token, token.split(".")[2] ?? "");

    const taxIds = [
      "123.456.789-09",
      "98765432100",
      "12.345.678/0001-95",
      "12ABC34501DE35",
      "１２３４５６７８９０９",
    ];
    for (const tax_id of taxIds) {
      const made = await shop.session(
        { customer: { email: "ana@example.com" } },
        { headers: { "x-service-customer-token": token } },
      );
      secrets.push(shop.tokenOf(made), shop.tokenOf(made).split(".")[3] ?? "");
      const input = { outcome: "succeed", card: "4111111111111111" };
      await shop.storefront.checkout.submit(shop.tokenOf(made), {
        payment_method_id: shop.a.method_id,
        customer: { tax_id },
        input,
      });
    }
    await keepMethod(shop);
    secrets.push(await buyLicense(shop));
    secrets.push(...(await uploadKeys(shop)));
    secrets.push("sandbox_saved_");
    await shop.call("GET", `/products?key=${shop.a.test.sec}`, {
      key: shop.a.test.sec,
      headers: { origin: "https://evil.example.com" },
    });
    await shop.session({}, { headers: { "idempotency-key": "replayed" } });
    await shop.session({}, { headers: { "idempotency-key": "replayed" } });
    await shop.storefront.drainWebhooks();

    const text = JSON.stringify([...(await dump())]);
    expect(text).toContain("***.***.789-**");
    expect(text).toContain("Sandbox ···· 4242"); // and the method that is kept
    expect(text).toContain("ana@example.com"); // what is looked through holds the orders
    for (const trace of [
      ...secrets,
      ...taxIds,
      "12345678909",
      "12345678000195",
      "4111111111111111",
    ])
      expect(text.includes(trace), trace).toBe(false);
    for (const line of shop.log) for (const trace of secrets) expect(line).not.toContain(trace);
  },
);

/** Sells a subscription whose buyer lets the method be kept. */
async function keepMethod(shop: Shop): Promise<void> {
  const { owner, a } = shop;
  await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
  const recurring = { interval: "month", interval_count: 1 } as const;
  const plan = { name: "Plan", price: 500, currency: "BRL", recurring };
  const { id } = await owner.products.create(a.id, plan);
  await shop.buy({ items: [{ product_id: id, quantity: 1 }] }, {}, { consent: "every month" });
}

test("the log of a shop in use shows none of them either", async () => {
  const shop = await createShop(memoryStorage());
  await shop.call("GET", `/products?key=${shop.a.test.sec}`, {
    key: shop.a.test.sec,
    headers: { origin: "https://evil.example.com" },
  });
  await shop.session({}, { headers: { "x-service-customer-token": "a.b.c" } });
  expect(shop.log.join("\n")).not.toContain(shop.a.test.sec);
});

/** Sells a license key, and gives it. */
async function buyLicense(shop: Shop): Promise<string> {
  const { id: product_id } = await shop.owner.products.create(shop.a.id, {
    name: "Editor",
    price: 1000,
    currency: "BRL",
    delivery: { type: "license_key" },
  });
  const { id } = await shop.buy({ items: [{ product_id, quantity: 1 }] });
  const { body } = await shop.get(`/orders/${id}`, { key: shop.a.test.sec });
  const [{ license_key }] = body.data.entitlements;
  expect(license_key).toHaveLength(29);
  return license_key;
}

/** Uploads two license keys, of which one is bought. */
async function uploadKeys(shop: Shop): Promise<readonly string[]> {
  const { id: product_id } = await shop.owner.products.create(shop.a.id, {
    name: "Game",
    price: 1000,
    currency: "BRL",
    delivery: { type: "license_key", source: "uploaded" },
  });
  const keys = ["GAME-KEY-OF-BUYER", "GAME-KEY-OF-NOBODY"];
  const pool = { store_id: shop.a.id, livemode: false, product_id };
  await shop.owner.products.uploadKeys({ ...pool, keys });
  await shop.buy({ items: [{ product_id, quantity: 1 }] });
  return keys;
}
