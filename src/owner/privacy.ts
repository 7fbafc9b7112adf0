import { check, checkId } from "../input/check.ts";
import { foreignId } from "../input/fields.ts";
import { createCustomerKeys } from "../rules/checkout/customer-keys.ts";
import { erasedCustomerId } from "../rules/owner/erased-customer.ts";
import type { Erasure } from "../rules/owner/erasure.ts";
import { wipeInChunks } from "../steps/wipe-test-data.ts";
import type { ErasedChunk } from "../storage/privacy-store.ts";
import { type OwnerContext, requireStore } from "./context.ts";

/** The time that a call works before it leaves the rest to maintenance. */
const longestCallMs = 5_000;

/**
 * Erases a customer's data; false when there was none. `"accepted"` means that it takes long, and
 * that maintenance does the rest.
 */
export async function eraseCustomer(
  ctx: OwnerContext,
  store_id: string,
  customer_id: string,
  archived: Erasure["archived"] = [],
): Promise<boolean | "accepted"> {
  check(foreignId, customer_id, "customer_id");
  await requireStore(ctx, checkId("store_id", store_id));
  // This id stands for everyone who was erased, so nothing is left to find.
  if (customer_id === erasedCustomerId) return false;

  const forget = await ctx.forgetErased(store_id, customer_id);
  const { privacy } = ctx.storage;
  const customer_keys = await createCustomerKeys(ctx.keyRing)(store_id, customer_id);
  const erasure = { store_id, customer_id, customer_keys };
  const began = ctx.now();
  let position: string | null = null;
  let foundAny = false;
  do {
    const now = ctx.now();
    if (position !== null && now - began >= longestCallMs) return "accepted";

    const chunk = position === null ? { ...erasure, archived, now } : { ...erasure, now };
    const { found, next }: ErasedChunk = await privacy.eraseChunk(chunk, position);
    foundAny ||= found;
    position = next;
  } while (position !== null);
  await forget();
  // Where something still keeps the rows, maintenance goes on, and tells of it.
  await privacy.finishErasures(0);
  return foundAny;
}

export async function wipeTestData(ctx: OwnerContext, store_id: string): Promise<void> {
  await requireStore(ctx, checkId("store_id", store_id));
  await wipeInChunks(ctx.storage, store_id);
  ctx.changed(store_id);
}
