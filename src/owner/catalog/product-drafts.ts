import type { z } from "zod";
import { given } from "../../input/check.ts";
import { ownSlug, slugOf } from "../../input/fields.ts";
import { optionsField } from "../../rules/catalog/groups/product-options.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { emptyProduct, type ProductPut } from "./product-input.ts";

/** A product record that is to be stored. */
export interface Draft {
  readonly record: ProductRecord;
  readonly set_stock: boolean;
  /** An update was made from this stored record. */
  readonly before?: ProductRecord;
  readonly generated_slug: boolean;
  /** The text that errors put before the name of a field: empty, or `products[3].`. */
  readonly root: string;
}

export type CheckedInput = z.output<typeof ProductPut>;

interface DraftSource {
  readonly store_id: string;
  readonly input: CheckedInput;
  /** The product that is replaced. Null when the product is new. */
  readonly stored: ProductRecord | null;
  readonly root: string;
}

export function draftOf(ctx: OwnerContext, { store_id, input, stored, root }: DraftSource): Draft {
  const now = ctx.now();
  const id = input.id ?? ctx.newId("prod");
  const kept_slug = input.slug ?? stored?.slug;

  return {
    root,
    generated_slug: kept_slug === undefined,
    set_stock: stored === null || input.stock !== undefined,
    record: withoutEmptyMarks({
      ...emptyProduct,
      stock: stored?.stock ?? null,
      ...given(input),
      id,
      store_id,
      slug: kept_slug ?? slugOf(input.name) ?? ownSlug(null, id),
      created_at: stored?.created_at ?? now,
      updated_at: now,
    }),
  };
}

/**
 * Leaves out what only some products have. A product without it is then stored as it was before
 * there were groups, so that an import finds it unchanged.
 */
export function withoutEmptyMarks({
  sku,
  external_id,
  group,
  options,
  ...record
}: ProductRecord): ProductRecord {
  return {
    ...record,
    ...(sku && { sku }),
    ...(external_id && { external_id }),
    ...(group && { group }),
    ...optionsField({ options }),
  };
}

export function withSlugOfId(draft: Draft): Draft {
  const { record } = draft;
  return {
    ...draft,
    generated_slug: false,
    record: { ...record, slug: ownSlug(slugOf(record.name), record.id) },
  };
}

/**
 * Gives the products of one call different slugs. Products with the same name would
 * have the same slug.
 */
export function makeSlugsDiffer(drafts: readonly Draft[]): Draft[] {
  const chosen = new Set(
    drafts.filter((draft) => !draft.generated_slug).map(({ record }) => record.slug),
  );

  return drafts.map((draft) => {
    if (!draft.generated_slug) return draft;
    if (chosen.has(draft.record.slug)) return withSlugOfId(draft);
    chosen.add(draft.record.slug);
    return draft;
  });
}
