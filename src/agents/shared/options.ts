import { invalidOption } from "../../input/option-error.ts";

/** Throws `invalid_option` when an endpoint is given something else than a storefront. */
export function checkStorefront(storefront: unknown): void {
  if (typeof Object(storefront).serve !== "function")
    invalidOption("storefront", "must be what createStorefront returned");
}

/** Matches a secret key of a store, and tells its mode. */
export const secretKey = /^hk_(live|test)_sec_\w+$/;

interface StoreOptions {
  readonly endpoint: string;
  readonly key: string;
}

/** Checks the public address of an endpoint, and the store's own key. */
export function checkStoreOptions({ endpoint, key }: StoreOptions, example: string): void {
  if (typeof endpoint !== "string" || !/^https?:\/\/[^/?#\s]+(\/[^/?#\s]+)+$/.test(endpoint))
    invalidOption("endpoint", `must be a public address with a path: ${example}`);
  if (typeof key !== "string" || !secretKey.test(key))
    invalidOption("key", "must be a secret key of the store (hk_…_sec_…): agents never see it");
}

interface ReturnUrls {
  readonly success_url: string;
  readonly cancel_url: string;
}

/** Checks that both return URLs are given. The API refuses those that are not registered. */
export function checkReturnUrls({ success_url, cancel_url }: ReturnUrls): void {
  for (const [name, url] of Object.entries({ success_url, cancel_url }))
    if (typeof url !== "string" || url === "")
      invalidOption(name, "must be a return URL that the store has registered");
}

/** Checks the transport of the option `webhooks`. */
export function checkTransport(transport: unknown): void {
  if (typeof Object(transport).send !== "function")
    invalidOption("webhooks", "must have a transport: nodeTransport() of vitrine/transport");
}
