import { clientPaths } from "./client-paths.ts";

/** Holds the method and path of each operation. The client has no feeds: they are no JSON. */
export const paths = {
  ...clientPaths,
  getGoogleFeed: "GET /feeds/google.xml",
  getProductFeed: "GET /feeds/products.jsonl",
} as const;

/** Names an operation of the public API, e.g. `listProducts`. */
export type Operation = keyof typeof paths;
