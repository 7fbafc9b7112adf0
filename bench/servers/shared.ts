import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export const productCount = 10_000;
export const product = (index: number) => ({
  name: `Product number ${index}`,
  slug: `product-${index}`,
  description: "A plain thing that is sold in a shop, described in a sentence of a usual length for such things.",
  price: 1_000 + (index % 500),
  currency: "BRL",
  position: index,
});
export const returnUrl = "https://shop.example.com/done";

export async function announce(server: Server, rest: { key: string; slugs: string[]; product_ids: string[] }): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...rest });
}
