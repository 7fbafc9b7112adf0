import { fail } from "../contract/errors.ts";
import type { IdKind } from "../domain/ids.ts";
import type { KeyRing } from "../domain/key-ring.ts";
import type { Storage } from "../storage/types.ts";
import type { WebhookTransport } from "../webhooks/transport.ts";

/** What the owner's services receive, made once by `createStorefront`. */
export interface OwnerContext {
  readonly storage: Storage;
  /** Null: creating an endpoint and sending a test event throw `invalid_option`. */
  readonly transport: WebhookTransport | null;
  /** Seals endpoint secrets at rest. */
  readonly keyRing: KeyRing;
  now(): number;
  newId(kind: IdKind): string;
  randomBytes(length: number): Uint8Array;
  /** Clears this process's access and answer caches of a store, so that its own writes are seen at once. */
  changed(store_id: string): void;
  /** Deliveries were made due: wakes what this process has asleep. */
  due(): void;
  /** The address, the secrets or the state of an endpoint are others: drains of this process give back what they hold of it. */
  endpointChanged(id: string): void;
}

export const unknownStore = (): never =>
  fail("resource_not_found", { param: "store_id", message: "There is no such store." });

/** Nothing was found: says whether the store or the resource is the unknown one, at the price of one read on this path only. */
export async function notFound(ctx: OwnerContext, store_id: string, param = "id"): Promise<never> {
  await requireStore(ctx, store_id);
  return fail("resource_not_found", { param });
}

export async function requireStore(ctx: OwnerContext, store_id: string): Promise<void> {
  if (!(await ctx.storage.access.findStore(store_id))) unknownStore();
}
