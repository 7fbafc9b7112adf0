import type { Storefront } from "vitrine";

type Owner = Storefront["owner"];
type Method = Parameters<Owner["paymentMethods"]["create"]>[1];

interface FirstStore {
  readonly name: string;
  /** It is the address of the shop's pages, which have `/done` below it. */
  readonly base: string;
  /** It is left out by a host that takes the money with code of its own. */
  readonly method?: Omit<Method, "currencies">;
}

/**
 * Opens, at the first start, a store that sells coffee, and gives as JSON what its
 * site needs. At later starts it gives an empty text.
 */
export async function openFirstStore(
  { owner }: Storefront,
  { name, base, method }: FirstStore,
): Promise<string> {
  if ((await owner.stores.list()).data.length > 0) return "";

  const currency = "BRL";
  const { id: store_id } = await owner.stores.create({ name, currency });
  await owner.stores.update(store_id, { headless_enabled: true });
  const return_url = `${base}/done`;
  await owner.returnUrls.add(store_id, return_url);
  if (method) await owner.paymentMethods.create(store_id, { ...method, currencies: [currency] });

  const product = { name: "Coffee", price: 3450, currency };
  const { id: product_id } = await owner.products.create(store_id, product);
  const publishable = { store_id, livemode: false, kind: "publishable" } as const;
  const { key } = await owner.keys.create(publishable);
  return JSON.stringify({ key, product_id, return_url });
}
