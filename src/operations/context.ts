import type { IdKind } from "../domain/ids.ts";
import type { CheckoutUrls } from "../rules/checkout-urls.ts";
import type { Storage } from "../storage/types.ts";
import type { CatalogReader } from "./catalog-reader.ts";

/** What every public operation receives, made once by `createStorefront`. */
export interface Context {
  readonly storage: Storage;
  /** Ours, or the host's own product tables. */
  readonly catalog: CatalogReader;
  readonly checkoutUrls: CheckoutUrls;
  /** Ids of the gateways configured in each mode: a payment method of another one is not shown. */
  readonly gatewayIds: { readonly live: ReadonlySet<string>; readonly test: ReadonlySet<string> };
  now(): number;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
  onError(error: unknown, where: string): void;
}
