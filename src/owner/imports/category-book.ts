import { maxRowsPerStore } from "../../rules/catalog/stale-records.ts";
import type { CategoryRecord } from "../../rules/records.ts";
import { putRecord } from "../../steps/record-steps.ts";
import { type OwnerContext, unknownStore } from "../context.ts";
import type { ImportedCategory } from "./imported-product.ts";

/** Finds the categories of a store by slug, and creates those that are new. */
export interface CategoryBook {
  /** Gives the category's id. Gives null when the store has as many as it can have. */
  idOf(category: ImportedCategory): Promise<string | null>;
  /** Tells whether the category is one that a dry run has not created. */
  isPlanned(id: string): boolean;
  /** Counts the categories that were created, or would be. */
  created(): number;
}

export async function openCategoryBook(
  ctx: OwnerContext,
  { store_id, dry_run }: { readonly store_id: string; readonly dry_run: boolean },
): Promise<CategoryBook> {
  const read = async (): Promise<Map<string, string>> => {
    const records = await ctx.storage.catalog.listCategoryRecords(store_id);
    return new Map(records.map(({ slug, id }) => [slug, id]));
  };
  let ids = await read();
  const planned = new Set<string>();
  let created = 0;

  const create = async (category: ImportedCategory): Promise<string | null> => {
    if (ids.size >= maxRowsPerStore) return null;
    const record = newCategory(ctx, store_id, category);
    if (dry_run) planned.add(record.id);
    else {
      const { outcome } = await putRecord(ctx.storage.records, "category", record);
      if (outcome === "unknown_store") return unknownStore();
      if (outcome !== "stored") {
        // Another call has created categories meanwhile.
        ids = await read();
        return ids.get(category.slug) ?? null;
      }
      ctx.changed(store_id);
    }
    created++;
    ids.set(record.slug, record.id);
    return record.id;
  };

  return {
    idOf: async (category) => ids.get(category.slug) ?? create(category),
    isPlanned: (id) => planned.has(id),
    created: () => created,
  };
}

function newCategory(
  ctx: OwnerContext,
  store_id: string,
  { slug, name }: ImportedCategory,
): CategoryRecord {
  const now = ctx.now();
  return {
    id: ctx.newId("cat"),
    store_id,
    slug,
    name,
    description: null,
    image_url: null,
    parent_id: null,
    position: 0,
    enabled: true,
    created_at: now,
    updated_at: now,
  };
}
