import type { Shop } from "./shop.ts";

/** Sells a box each month by the shop's method, and gives the id of the product. */
export async function sellMonthly({ owner, a }: Shop): Promise<string> {
  await owner.paymentMethods.update(a.id, a.method_id, { supports_recurring: true });
  const recurring = { interval: "month" as const, interval_count: 1 };
  const made = { name: "Box", price: 5000, currency: "BRL", recurring };
  return (await owner.products.create(a.id, made)).id;
}
