import type { Call } from "../../frame/command.ts";
import { type SecretFile, withSecretFile } from "../../frame/files/secret-file.ts";
import { recordLines } from "../../frame/table-lines.ts";

/** Makes a store that sells in test mode: products, ways to pay, addresses and keys. */
export const run = (call: Call): Promise<void> =>
  withSecretFile(call.input, (file) => seed(call, file));

async function seed({ host, input, screen }: Call, file: SecretFile | null): Promise<void> {
  const { storefront, parts } = host();
  const { owner } = storefront;
  const currency = input.text("currency") ?? "BRL";
  const origin = parts.settings.publicOrigin || "http://localhost:3000";
  const sandbox = { gateway: "sandbox", currencies: [currency] };
  const store = await owner.stores.create({
    name: input.text("name") ?? "Armazém",
    currency,
    headless_enabled: true,
    localhost_origins: true,
    return_urls: [`${origin}/thanks`],
    payment_methods: [
      { ...sandbox, type: "card", name: "Card", supports_recurring: true },
      { ...sandbox, type: "pix", name: "Pix" },
    ],
  });

  const coffee = await owner.products.create(store.id, { name: "Coffee", price: 3450, currency });
  const club = await owner.products.create(store.id, {
    name: "Coffee club",
    price: 2900,
    currency,
    recurring: { interval: "month", interval_count: 1 },
  });
  await owner.products.create(store.id, {
    name: "Brewing guide",
    price: 1900,
    currency,
    delivery: { type: "link", url: `${origin}/brewing-guide` },
  });
  const where = { store_id: store.id, livemode: false };
  const publishable = await owner.keys.create({ ...where, kind: "publishable" });
  const secret = await owner.keys.create({ ...where, kind: "secret" });

  file?.write(secret.key);
  const made = {
    store_id: store.id,
    product_id: coffee.id,
    subscription_product_id: club.id,
    publishable_key: publishable.key,
    ...(file ? { secret_key_in: file.name } : { secret_key: secret.key }),
  };
  screen.result(made, () => [
    ...recordLines(made),
    "",
    ...(file ? [] : ["The secret key is shown only here: keep it now."]),
    "A paid test order: npx vitrine trigger order.paid",
  ]);
}
