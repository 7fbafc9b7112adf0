import { readEnvironment, type Settings } from "./settings.ts";
import { openShop, type Shop } from "./shop.ts";

/** Makes a first store with one product, its key, and the endpoint of the app's own webhooks. */
export async function setUp({ storefront: { owner } }: Shop, { publicUrl }: Settings) {
  const store = await owner.stores.create({ name: "My shop", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.origins.add(store.id, publicUrl);
  await owner.returnUrls.add(store.id, `${publicUrl}/thanks`);
  await owner.paymentMethods.create(store.id, {
    type: "card",
    name: "Card",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  const product = await owner.products.create(store.id, {
    name: "Coffee",
    price: 3450,
    currency: "BRL",
  });

  const test = { store_id: store.id, livemode: false };
  const { key } = await owner.keys.create({ ...test, kind: "publishable" });
  const { secret } = await owner.endpoints.create({
    ...test,
    url: `${publicUrl}/webhooks`,
    event_types: ["order.paid"],
  });
  return { SHOP_KEY: key, WEBHOOK_SECRET: secret, PRODUCT: product.id };
}

if (process.argv[1] === import.meta.filename) {
  const settings = readEnvironment();
  const shop = await openShop(settings);
  for (const [name, value] of Object.entries(await setUp(shop, settings)))
    console.log(`${name}=${value}`);
  await shop.close();
}
