import { z } from "zod";
import { check, checkId, refuse } from "../../input/check.ts";
import { foreignId, text } from "../../input/fields.ts";
import { uploadedKeyHashes } from "../../rules/entitlements/license.ts";
import { waitingTerm } from "../../rules/orders/order-terms.ts";
import {
  fillOrder,
  type PoolName,
  readPool,
  type UploadedKey,
  uploadKeys,
} from "../../steps/key-pool-steps.ts";
import { notFound, type OwnerContext } from "../context.ts";

const KeyPoolRef = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  product_id: foreignId,
});
/** Names the uploaded keys of a product in one mode. */
export interface KeyPoolRef extends z.input<typeof KeyPoolRef> {}

const KeyUpload = z.strictObject({
  ...KeyPoolRef.shape,
  /** Up to 5,000 keys of at most 255 characters. */
  keys: z.array(text(255)).max(5_000).readonly(),
});
/** Keys to upload for a product in one mode. */
export interface KeyUpload extends z.input<typeof KeyUpload> {}

/** How many uploaded keys of a product nobody has got yet. */
export interface KeysLeft {
  readonly left: number;
}

/** What an upload has done. */
export interface UploadedKeys extends KeysLeft {
  /**
   * The number of keys that were new. The others of the call were there, or have been given to
   * buyers.
   */
  readonly added: number;
  /** The number of keys that went to buyers who had paid and waited. */
  readonly filled: number;
}

/** Stores keys, and gives them to the orders that wait for some, the oldest first. */
export async function uploadProductKeys(
  ctx: OwnerContext,
  input: KeyUpload,
): Promise<UploadedKeys> {
  const { keys: given, ...name } = check(KeyUpload, input);
  checkId("product_id", name.product_id);
  await requirePool(ctx, name);

  const keys = await Promise.all(
    [...new Set(given.map((key) => key.trim()))].map((key) => sealed(ctx, name, key)),
  );
  const uploaded = await uploadKeys(ctx.storage.records, name, keys);
  if (uploaded.outcome === "unknown_product") return notFound(ctx, name.store_id, "product_id");

  const filled = await fillWaiting(ctx, name);
  return { added: uploaded.added, filled, left: uploaded.free - filled };
}

/** Counts the keys of a product that are left. */
export async function countProductKeys(ctx: OwnerContext, input: KeyPoolRef): Promise<KeysLeft> {
  const name = check(KeyPoolRef, input);
  const pool = await readPool(ctx.storage.records, name);
  return pool ? { left: pool.free } : notFound(ctx, name.store_id, "product_id");
}

async function requirePool(ctx: OwnerContext, { store_id, product_id }: PoolName): Promise<void> {
  const [product] = await ctx.storage.catalog.findProductRecords(store_id, [product_id]);
  if (!product) return notFound(ctx, store_id, "product_id");

  const { delivery } = product;
  if (delivery?.type !== "license_key" || delivery.source !== "uploaded")
    refuse("product_id", "must be of a product that delivers uploaded license keys");
}

async function sealed(
  { keyRing, newId }: OwnerContext,
  { store_id }: PoolName,
  key: string,
): Promise<UploadedKey> {
  const id = newId("lic");
  const hashes = await uploadedKeyHashes(keyRing, store_id, key);
  return {
    id,
    key_hash: hashes[0] ?? "",
    hashes,
    sealed_key: await keyRing.seal(key, id),
    last4: key.slice(-4),
  };
}

/** Fills the orders that wait for keys of the product, and gives how many keys they took. */
async function fillWaiting(ctx: OwnerContext, name: PoolName): Promise<number> {
  const { product_id: _product, ...partition } = name;
  let filled = 0;
  for (const order_id of (await waitingOrders(ctx, name)).reverse()) {
    const command = { ...partition, order_id, ids: { events: [ctx.newId("evt")] }, now: ctx.now() };
    const { filled: taken } = await fillOrder(ctx.storage.orders, command);
    filled += taken;
    // An order that was refunded or filled meanwhile takes none either.
    if (taken === 0 && (await readPool(ctx.storage.records, name))?.free === 0) break;
  }
  if (filled > 0) ctx.due();
  return filled;
}

const ordersAPage = 100;

/** Gives the ids of the orders that wait, the newest first. */
async function waitingOrders(
  { storage }: OwnerContext,
  { product_id, ...partition }: PoolName,
): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const after = ids.at(-1);
    const found = await storage.backOffice.searchOrders({
      ...partition,
      terms: [waitingTerm(product_id)],
      limit: ordersAPage,
      ...(after !== undefined && { after }),
    });
    const page = found.outcome === "listed" ? found.orders.slice(0, ordersAPage) : [];
    ids.push(...page.map(({ id }) => id));
    if (page.length < ordersAPage) return ids;
  }
}
