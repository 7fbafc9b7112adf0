import type { Load } from "./load.ts";
import { zipf } from "./measure.ts";
import type { Served } from "./server.ts";
import { productCount, returnUrl } from "./servers/shared.ts";

const pages = zipf(100, 400).map((page) => `/products?limit=20&page=${page + 1}`);
const places = zipf(productCount, 1_000);

/** The servers are measured by these requests. */
export const works = {
  "GET /products?limit=20": (_server: Served, seconds: number): Load => ({
    paths: pages,
    seconds,
    status: 200,
  }),
  "GET /products/{slug}": ({ slugs }: Served, seconds: number): Load => ({
    paths: places.map((at) => `/products/${slugs[at]}`),
    seconds,
    status: 200,
  }),
  "POST /checkout/sessions": ({ product_ids }: Served, seconds: number): Load => ({
    method: "POST",
    paths: ["/checkout/sessions"],
    body(index) {
      const items = [{ product_id: product_ids[index % 1_000], quantity: 1 }];
      return JSON.stringify({ items, success_url: returnUrl, cancel_url: returnUrl });
    },
    seconds,
    status: 201,
  }),
};
export type Work = keyof typeof works;

const cached = (addresses: readonly unknown[]): string =>
  `${new Set(addresses).size} addresses, Zipf: with its cache on, all but the first answer to each ` +
  "in the warm-up come from it until a write.";

export const notes: Readonly<Record<Work, string>> = {
  "GET /products?limit=20": cached(pages),
  "GET /products/{slug}": cached(places),
  "POST /checkout/sessions":
    "limit on: each request is another buyer's, so the limit is counted in the database " +
    "and never reached. On SQLite, *limit* waits for the disk once a session, and vitrine once " +
    "for all sessions that wait together: the faster the disk, the lower the ratio. On a disk " +
    "that was half as fast it was 4.07, at as many sessions a second.",
};
