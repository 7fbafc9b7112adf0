import type { IdKind } from "../domain/keys/ids.ts";
import type { KeyRing } from "../domain/keys/key-ring.ts";
import type { CheckoutUrls } from "../rules/checkout/checkout-urls.ts";
import type { CustomerKeys } from "../rules/checkout/customer-keys.ts";
import type { Outcomes } from "../rules/orders/outcomes.ts";
import type { Partition, PaymentMethodRecord } from "../rules/records.ts";
import type { Storage } from "../storage/types.ts";
import type { CatalogReader } from "./catalog/catalog-reader.ts";

/** What every public operation receives. `createStorefront` makes it once. */
export interface OperationContext {
  readonly storage: Storage;
  /** Reads the library's own product tables, or the host's. */
  readonly catalog: CatalogReader;
  readonly checkoutUrls: CheckoutUrls;
  readonly customerKeys: CustomerKeys;
  /**
   * The ids of the gateways of each mode: payment methods of other gateways
   * are not shown.
   */
  readonly gatewayIds: { readonly live: ReadonlySet<string>; readonly test: ReadonlySet<string> };
  /** Tells whether a method can be kept without a payment, as a trial needs. */
  savesAlone(method: Pick<PaymentMethodRecord, "gateway" | "type">, livemode: boolean): boolean;
  /** Seals license keys before they are stored, and opens them for their buyer. */
  readonly keyRing: KeyRing;
  /** The address below which files are handed over. Null when the host hands over none. */
  readonly filesUrl: string | null;
  /** Gives the time in epoch milliseconds. The clock may be set back. */
  now(): number;
  /**
   * Gives milliseconds from any start. They never go back, so durations are
   * measured by them.
   */
  steadyNow(): number;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
  /**
   * Call it after each commit: it wakes the webhook loop and the consumers of
   * events, and clears what this process has cached of the store.
   */
  committed(partition: Partition): void;
  /** Reports an error that was handled; `where` names the part that handled it. */
  onError(error: unknown, where: string): void;
  /** Is told what became of sessions and payments. */
  readonly outcomes: Outcomes;
}
