import type { AddressInfo, Server } from "node:net";
import { startProfile, stopProfile } from "./profile.ts";

export const productCount = 10_000;
export const product = (index: number) => ({
  name: `Product number ${index}`,
  slug: `product-${index}`,
  description:
    "A plain thing that is sold in a shop, described in a sentence of a usual length " +
    "for such things.",
  price: 1_000 + (index % 500),
  currency: "BRL",
  position: index,
});
/** The value of this header names the storefront that answers, one of `logSides`. */
export const logHeader = "x-bench-log";
/** The values are equally long, so that each side reads requests of the same length. */
export const logSides = {
  "log off": "off-1",
  "log off again": "off-2",
  "log on": "log-1",
} as const;
export type LogSide = keyof typeof logSides;
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

const answers = {
  async usage(): Promise<Usage> {
    const { user, system } = process.cpuUsage();
    return { rss: process.memoryUsage.rss(), cpu_ms: (user + system) / 1_000 };
  },
  async startProfile() {
    await startProfile();
    return {};
  },
  stopProfile,
};
export type Wish = keyof typeof answers;

/**
 * Reads the settings that `startServer` hands to the process. With `filled` an
 * earlier process has filled the database, and this one reports the same values.
 */
export const settings = <T>(): T => JSON.parse(process.argv[2] ?? "{}") as T;

export async function announce(server: Server, rest: Omit<Ready, "url">): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  process.on(
    "message",
    (wish: Wish) => void answers[wish]().then((answer) => process.send?.(answer)),
  );
  process.on("disconnect", () => process.exit()); // The bench has ended.
  const ready: Ready = {
    ...rest,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  process.send?.(ready);
}
