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

export interface Ready {
  readonly url: string;
  readonly key: string;
  readonly slugs: readonly string[];
  readonly product_ids: readonly string[];
}
export interface Usage {
  readonly rss: number;
  readonly cpu_ms: number;
}

/** What `startServer` hands to the process. */
export const settings = <T>(): T => JSON.parse(process.argv[2] ?? "{}") as T;

export async function announce(server: Server, rest: Omit<Ready, "url">): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    const usage: Usage = { rss: process.memoryUsage.rss(), cpu_ms: (user + system) / 1_000 };
    process.send?.(usage);
  });
  process.on("disconnect", () => process.exit()); // the bench is gone
  const ready: Ready = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...rest };
  process.send?.(ready);
}
