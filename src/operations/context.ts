import type { IdKind } from "../domain/ids.ts";
import type { CheckoutUrls } from "../rules/checkout-urls.ts";
import type { CustomerKeys } from "../rules/customer-keys.ts";
import type { Storage } from "../storage/types.ts";
import type { CatalogReader } from "./catalog-reader.ts";

/** What every public operation receives; `createStorefront` makes it once. */
export interface OperationContext {
  readonly storage: Storage;
  /** Reads our own product tables, or the host's. */
  readonly catalog: CatalogReader;
  readonly checkoutUrls: CheckoutUrls;
  readonly customerKeys: CustomerKeys;
  /**
   * The ids of the gateways of each mode: payment methods of other gateways are not
   * shown.
   */
  readonly gatewayIds: { readonly live: ReadonlySet<string>; readonly test: ReadonlySet<string> };
  /** Epoch milliseconds. The clock may be set back. */
  now(): number;
  /** Milliseconds that only go forward, from any start: durations are measured by it. */
  steadyNow(): number;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
  /** Reports an error that was handled; `where` names the part that handled it. */
  onError(error: unknown, where: string): void;
}
