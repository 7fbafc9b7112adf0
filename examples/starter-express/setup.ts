import type { Storefront } from "vitrine";
import { readEnvironment } from "./settings.ts";
import { openShop } from "./shop.ts";

/** Makes a first store with one product, and the key that its pages call the API with. */
export async function setUp({ owner }: Storefront, publicUrl: string) {
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
  const { key } = await owner.keys.create({
    store_id: store.id,
    livemode: false,
    kind: "publishable",
  });
  return { SHOP_KEY: key, PRODUCT: product.id };
}

if (process.argv[1] === import.meta.filename) {
  const settings = readEnvironment();
  const shop = await openShop(settings);
  for (const [name, value] of Object.entries(await setUp(shop.storefront, settings.publicUrl)))
    console.log(`${name}=${value}`);
  await shop.close();
}
