import { fail } from "../contract/errors.ts";
import type { IdKind } from "../domain/keys/ids.ts";
import type { KeyRing } from "../domain/keys/key-ring.ts";
import type { ModeClock } from "../rules/clock/mode-clock.ts";
import type { StoreRecord } from "../rules/records.ts";
import type { Storage } from "../storage/types.ts";
import type { WebhookTransport } from "../webhooks/send/transport.ts";

/** The owner's services receive this. `createStorefront` makes it once. */
export interface OwnerContext {
  readonly storage: Storage;
  /**
   * Null without the option. Creating an endpoint and sending a test event
   * then fail.
   */
  readonly transport: WebhookTransport | null;
  /** Encrypts the secrets of endpoints before they are stored. */
  readonly keyRing: KeyRing;
  /** The address of the customer page. Null when the host has none. */
  readonly customerPageUrl: string | null;
  /** The address below which files are handed over. Null when the host hands over none. */
  readonly filesUrl: string | null;
  /** The time of records. `now` is the real time. */
  readonly clock: ModeClock;
  now(): number;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
  /**
   * Clears what this process has cached of the store, so that it sees its own
   * writes at once.
   */
  changed(store_id: string): void;
  /** Does the work of a store's test mode that is due: maintenance, and webhooks. */
  doTestWork(store_id: string): Promise<void>;
  /**
   * Finds what the gateways keep of a customer's means of payment. The function that it gives asks
   * them to forget it, behind the erasure. A failure is reported, and maintenance asks again.
   */
  forgetErased(store_id: string, customer_id: string): Promise<() => Promise<void>>;
  /** Wakes this process's webhook loop, because deliveries have become due. */
  due(): void;
  /**
   * Tells that an endpoint's address, secrets or state has changed. The drains of
   * this process then release the deliveries that they have claimed for it.
   */
  endpointChanged(id: string): void;
  /**
   * Writes what the request log of this process still holds. It gives up when the
   * storage is slow.
   */
  flushRequestLog(): Promise<void>;
  /**
   * Writes the uses of keys that this process still holds. It gives up when the
   * storage is slow.
   */
  flushKeyUses(): Promise<void>;
}

export const unknownStore = (): never =>
  fail("resource_not_found", { param: "store_id", message: "There is no such store." });

/** Throws `resource_not_found`, which names the store if that is what does not exist. */
export async function notFound(ctx: OwnerContext, store_id: string, param = "id"): Promise<never> {
  await requireStore(ctx, store_id);
  return fail("resource_not_found", { param });
}

/** Finds a store. Throws `resource_not_found` for an unknown one. */
export async function requireStore(
  { storage }: Pick<OwnerContext, "storage">,
  store_id: string,
): Promise<StoreRecord> {
  return (await storage.access.findStore(store_id)) ?? unknownStore();
}
