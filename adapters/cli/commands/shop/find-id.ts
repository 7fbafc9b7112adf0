import { normalizeCode } from "#core/domain/coupon.ts";
import type { CatalogStore } from "#core/storage/types.ts";

/** Where a record is looked for by its other name. */
export interface Names {
  readonly catalog: CatalogStore;
  readonly store_id: string;
}

/** Gives the id of the product with this slug. Any other word is taken for an id. */
export async function productIdOf({ catalog, store_id }: Names, word: string): Promise<string> {
  const [found] = await catalog.findProductRecords(store_id, [word], "slug");
  return found?.id ?? word;
}

const perPage = 100;

/** Gives the id of the coupon with this code. Any other word is taken for an id. */
export async function couponIdOf({ catalog, store_id }: Names, word: string): Promise<string> {
  if (/^cpn_[0-9A-Z]{26}$/.test(word)) return word;

  const code = normalizeCode(word);
  const isBehind = (other: string): boolean =>
    Buffer.compare(Buffer.from(other), Buffer.from(code)) > 0;
  // The codes are in order: those behind all but the last letter begin shortly before this one.
  let after: string | null = [...code].slice(0, -1).join("") || null;
  for (;;) {
    const page = await catalog.listCoupons(store_id, { by: "code", after, limit: perPage });
    const found = page.find((coupon) => coupon.code === code);
    const last = page.at(-1);
    if (found || page.length < perPage || !last || isBehind(last.code)) return found?.id ?? word;
    after = last.code;
  }
}
