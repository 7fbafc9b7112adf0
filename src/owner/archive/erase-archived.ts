import { blankArchived, type HeldCoupon } from "../../rules/owner/erasure.ts";
import type { Partition } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { eraseCustomer } from "../privacy.ts";
import { type ArchivedOrder, readLine } from "./archived-order.ts";
import { holdArchive } from "./hold-archive.ts";
import {
  type ArchiveFiles,
  type ArchiveManifest,
  eachManifest,
  readLines,
  rewritePart,
} from "./parts.ts";

/** What an erasure has found. */
export interface ArchiveErasure {
  /** What `owner.eraseCustomer` gives of the storage. */
  readonly erased: boolean | "accepted";
  /** The months whose files had the customer, and were written anew. */
  readonly months: readonly (Pick<ArchiveManifest, "livemode" | "month"> & {
    readonly orders: number;
  })[];
}

/** A file in which the customer is. */
interface Hit {
  readonly name: string;
  readonly manifest: ArchiveManifest;
  readonly orders: readonly ArchivedOrder[];
}

/**
 * Erases a customer from the storage and from all files of the store. The uses of coupons are
 * known by the files alone, so the storage comes first: a killed call is called again.
 */
export const eraseEverywhere = (
  ctx: OwnerContext,
  store_id: string,
  customer_id: string,
  files: ArchiveFiles,
): Promise<ArchiveErasure> =>
  holdArchive(ctx, store_id, async (hold) => {
    const hits: Hit[] = [];
    for await (const { name, manifest } of eachManifest(files, `${store_id}/`)) {
      await hold.keep();
      const lines = await readLines(files, manifest);
      const orders = lines.map(readLine).filter(({ customer }) => customer.id === customer_id);
      if (orders.length > 0) hits.push({ name, manifest, orders });
    }

    const uses = hits.flatMap(({ orders }) => orders.flatMap(useOf));
    const erased = await eraseCustomer(ctx, store_id, customer_id, uses);

    const months: ArchiveErasure["months"][number][] = [];
    for (const { name, manifest, orders } of hits) {
      await hold.keep();
      const lines = (await readLines(files, manifest)).map((line) => blankLine(line, customer_id));
      await rewritePart(files, name, { manifest, lines, random: ctx.randomBytes(9) });
      const { livemode, month } = manifest;
      months.push({ livemode, month, orders: orders.length });
    }
    return { erased, months };
  });

const useOf = (order: ArchivedOrder): readonly (Partition & HeldCoupon)[] => {
  const { store_id, livemode, coupon_id, coupon_key } = order;
  return coupon_key === null ? [] : [{ store_id, livemode, coupon_id, coupon_key }];
};

function blankLine(line: string, customer_id: string): string {
  const order = readLine(line);
  return order.customer.id === customer_id ? JSON.stringify(blankArchived(order)) : line;
}
