import { z } from "zod";
import { fail } from "../../contract/errors.ts";
import type { Page } from "../../contract/routes.ts";
import { normalizeCode } from "../../domain/coupon.ts";
import { iso } from "../../domain/text/iso.ts";
import { lengthOf } from "../../domain/text/plain.ts";
import { check, checkId, emptyFields, given, refuse } from "../../input/check.ts";
import { currency, discountFault, foreignId, moment, money, text } from "../../input/fields.ts";
import type { CouponRecord } from "../../rules/records.ts";
import { deleteRecord, putRecord } from "../../steps/record-steps.ts";
import { notFound, type OwnerContext, requireStore, unknownStore } from "../context.ts";
import { requireExpected, type UpdateOptions } from "../expected.ts";
import { requireKnownStore } from "../known-store.ts";
import { type CouponListInput, listCoupons } from "./coupon-list.ts";
import {
  type CouponUse,
  type CouponUseCount,
  type CouponUseListInput,
  countCouponUses,
  listCouponUses,
} from "./coupon-uses.ts";
import { indexOfRepeat } from "./product-input.ts";

const count = z.int().min(1).max(1_000_000_000);
const fields = {
  code: text(100),
  discount_type: z.enum(["percentage", "fixed"]),
  /** A percentage with at most two decimals, or minor units of `currency`. */
  discount_amount: z.number(),
  enabled: z.boolean().optional(),
  currency: currency.nullish(),
  min_subtotal: money.nullish(),
  /**
   * The currency of `min_subtotal`. When it is left out, this is the coupon's
   * currency, or the store's where the coupon has none.
   */
  min_subtotal_currency: currency.nullish(),
  product_ids: z
    .array(foreignId)
    .min(1)
    .max(1000)
    .refine((ids) => indexOfRepeat(ids) === null, "must not name a product twice")
    .readonly()
    .nullish(),
  starts_at: moment.nullish(),
  ends_at: moment.nullish(),
  max_uses: count.nullish(),
  max_uses_per_customer: count.nullish(),
};

export const CouponInput = z.strictObject(fields);
export const CouponChanges = z.strictObject(fields).partial();
/**
 * Describes a new coupon. The code is stored trimmed and in upper case (Unicode
 * form NFKC), so buyers may type it in any case. Without `product_ids` the coupon
 * is for all products.
 */
export interface CouponInput extends z.input<typeof CouponInput> {}
/**
 * Changes a coupon. A field that is left out stays as it is. `null` removes a
 * restriction.
 */
export interface CouponChanges extends z.input<typeof CouponChanges> {}

/** A coupon with the fields that only the owner sees. */
export interface OwnerCoupon
  extends Omit<CouponRecord, "store_id" | "starts_at" | "ends_at" | "created_at"> {
  /** The time at which the coupon begins, inclusive, in ISO 8601, in UTC. */
  readonly starts_at: string | null;
  /** The time at which the coupon ends, exclusive, in ISO 8601, in UTC. */
  readonly ends_at: string | null;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /**
   * Counts, in each mode, the uses that orders hold or have consumed, or that
   * sessions hold.
   */
  readonly used: CouponUseCount;
}

/** Manages the coupons of a store. */
export interface OwnerCoupons {
  /** Creates a coupon. Throws `parameter_invalid` when the code is taken. */
  create(store_id: string, input: CouponInput): Promise<OwnerCoupon>;
  /**
   * Changes a coupon. The uses so far still count. Open sessions keep the discount
   * that they were made with. Throws `precondition_failed` when `expected` is no
   * longer what is stored, apart from the uses.
   */
  update(
    store_id: string,
    id: string,
    changes: CouponChanges,
    options?: UpdateOptions<OwnerCoupon>,
  ): Promise<OwnerCoupon>;
  /** Reads a coupon. Throws `resource_not_found` for a coupon of another store. */
  retrieve(store_id: string, id: string): Promise<OwnerCoupon>;
  /** Lists coupons, ordered by id: the oldest first. `sort` gives other orders. */
  list(store_id: string, query?: CouponListInput): Promise<Page<OwnerCoupon>>;
  /**
   * Lists the orders of a mode that use the coupon, the highest number first.
   * Pending orders hold their use, and a failed one gives it back. The uses of a
   * deleted coupon are still listed. It throws `invalid_cursor` when the cursor is
   * of another coupon or mode.
   */
  uses(input: CouponUseListInput): Promise<Page<CouponUse>>;
  /** Deletes a coupon. Throws `resource_not_found` for a coupon of another store. */
  delete(store_id: string, id: string): Promise<void>;
}

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

const render = (coupon: CouponRecord, used: CouponUseCount): OwnerCoupon => ({
  id: coupon.id,
  code: coupon.code,
  enabled: coupon.enabled,
  discount_type: coupon.discount_type,
  discount_amount: coupon.discount_amount,
  currency: coupon.currency,
  min_subtotal: coupon.min_subtotal,
  // A row of an older version without a minimum lacks the field.
  min_subtotal_currency: coupon.min_subtotal_currency ?? null,
  product_ids: coupon.product_ids && [...coupon.product_ids],
  starts_at: isoOrNull(coupon.starts_at),
  ends_at: isoOrNull(coupon.ends_at),
  max_uses: coupon.max_uses,
  max_uses_per_customer: coupon.max_uses_per_customer,
  created_at: iso(coupon.created_at),
  used,
});

async function renderAll(
  ctx: OwnerContext,
  store_id: string,
  coupons: readonly CouponRecord[],
): Promise<readonly OwnerCoupon[]> {
  const ids = coupons.map(({ id }) => id);
  const usesOf = await countCouponUses(ctx, store_id, ids);
  return coupons.map((coupon) => render(coupon, usesOf(coupon.id)));
}

async function renderOne(ctx: OwnerContext, coupon: CouponRecord): Promise<OwnerCoupon> {
  const usesOf = await countCouponUses(ctx, coupon.store_id, [coupon.id]);
  return render(coupon, usesOf(coupon.id));
}

export function createCoupons(ctx: OwnerContext): OwnerCoupons {
  const { records } = ctx.storage;
  const find = async (store_id: string, id: string): Promise<CouponRecord> => {
    const store = checkId("store_id", store_id);
    return (await findCoupon(ctx, store, checkId("id", id))) ?? notFound(ctx, store);
  };

  return {
    async create(store_id, input) {
      const store = checkId("store_id", store_id);
      const checked = check(CouponInput, input);

      const record = {
        ...emptyFields(fields),
        enabled: true,
        ...given(checked),
        id: ctx.newId("cpn"),
        store_id: store,
        created_at: ctx.now(),
      };
      return render((await write(ctx, record)) ?? record, { live: 0, test: 0 });
    },

    async update(store_id, id, changes, options = {}) {
      const changed = given(check(CouponChanges, changes));

      for (;;) {
        const before = await find(store_id, id);
        if (options.expected) requireExpected(render(before, options.expected.used), options);

        const written = await write(ctx, { ...before, ...ofOneCurrency(changed) }, before);
        if (written) return renderOne(ctx, written);
      }
    },

    retrieve: async (store_id, id) => renderOne(ctx, await find(store_id, id)),

    async list(store_id, query = {}) {
      const store = checkId("store_id", store_id);
      const page = await listCoupons(ctx, store, query);
      if (page.data.length === 0) await requireKnownStore(ctx, store);
      return { ...page, data: await renderAll(ctx, store, page.data) };
    },

    uses: async (input) => listCouponUses(ctx, input),

    async delete(store_id, id) {
      const store = checkId("store_id", store_id);
      if (!(await deleteRecord(records, "coupon", { store_id: store, id: checkId("id", id) })))
        return notFound(ctx, store);
      ctx.changed(store);
    },
  };
}

/** Returns null when another call has changed the coupon since `before` was read. */
async function write(
  ctx: OwnerContext,
  coupon: CouponRecord,
  before?: CouponRecord,
): Promise<CouponRecord | null> {
  const code = normalizeCode(coupon.code);
  if (code === "" || lengthOf(code) > 100) return refuse("code", "must have 1 to 100 characters");

  const fault = discountFault(coupon);
  if (fault) return refuse("discount_amount", fault);
  if (coupon.discount_type === "fixed" && coupon.currency === null) {
    return fail("parameter_missing", {
      param: "currency",
      message: "currency is required: a fixed discount is an amount of one currency.",
    });
  }
  if (coupon.starts_at !== null && coupon.ends_at !== null && coupon.ends_at <= coupon.starts_at)
    return refuse("ends_at", "must be after starts_at");

  const min_subtotal_currency = await minimumCurrency(ctx, coupon);
  if (coupon.currency !== null && (min_subtotal_currency ?? coupon.currency) !== coupon.currency)
    return refuse("min_subtotal_currency", "must be the coupon's currency");

  const record = { ...coupon, code, min_subtotal_currency };
  const { outcome } = await putRecord(ctx.storage.records, "coupon", record, before);
  if (outcome === "stale") return null;
  if (outcome === "unknown_store") return unknownStore();
  if (outcome === "code_taken") return refuse("code", "is taken by another coupon");

  ctx.changed(record.store_id);
  return record;
}

/** Makes the minimum follow a coupon that gets another currency. */
const ofOneCurrency = (changes: Partial<CouponRecord>): Partial<CouponRecord> =>
  changes.currency && changes.min_subtotal_currency === undefined
    ? { ...changes, min_subtotal_currency: changes.currency }
    : changes;

/** Gives the currency of the coupon's `min_subtotal`. Gives null without a minimum. */
async function minimumCurrency(ctx: OwnerContext, coupon: CouponRecord): Promise<string | null> {
  if (coupon.min_subtotal === null) return null;
  if (coupon.min_subtotal_currency) return coupon.min_subtotal_currency;
  if (coupon.currency !== null) return coupon.currency;

  return (await requireStore(ctx, coupon.store_id)).currency;
}

const pageSize = 100;

/**
 * Finds a coupon by its id. The storage has no look-up for this, but its lists are
 * ordered by id. The first page after the id without its last character almost
 * always holds the coupon.
 */
async function findCoupon(
  ctx: OwnerContext,
  store_id: string,
  id: string,
): Promise<CouponRecord | undefined> {
  let after = id.slice(0, -1);

  for (;;) {
    const page = await ctx.storage.catalog.listCoupons(store_id, { after, limit: pageSize });
    const found = page.find((coupon) => coupon.id === id);
    const last = page.at(-1);
    if (found || !last || page.length < pageSize || last.id > id) return found;
    after = last.id;
  }
}
