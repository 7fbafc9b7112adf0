import type { z } from "zod";
import { ownSlug, slugOf } from "../../input/fields.ts";
import type { ProductRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import type { ProductPut } from "./product-input.ts";

/** A product record that is to be stored. */
export interface Draft {
  readonly record: ProductRecord;
  readonly set_stock: boolean;
  /** An update was made from this stored record. */
  readonly before?: ProductRecord;
  readonly generated_slug: boolean;
  /**
   * Errors put this text before the name of a field. It is empty, or
   * `products[3].`.
   */
  readonly root: string;
}

export type CheckedInput = z.output<typeof ProductPut>;

interface DraftSource {
  readonly store_id: string;
  readonly input: CheckedInput;
  /** This product is replaced. It is null when the product is new. */
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
    record: {
      id,
      store_id,
      slug: kept_slug ?? slugOf(input.name) ?? ownSlug(null, id),
      name: input.name,
      description: input.description ?? null,
      images: input.images ?? [],
      price: input.price,
      compare_at_price: input.compare_at_price ?? null,
      currency: input.currency,
      promotion: input.promotion ?? null,
      category_ids: input.category_ids ?? [],
      variables: input.variables ?? [],
      recurring: input.recurring ?? null,
      max_quantity: input.max_quantity ?? null,
      active: input.active ?? true,
      blocked: input.blocked ?? false,
      stock: input.stock === undefined ? (stored?.stock ?? null) : input.stock,
      position: input.position ?? 0,
      created_at: stored?.created_at ?? now,
      updated_at: now,
    },
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
