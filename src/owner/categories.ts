import { z } from "zod";
import { fail } from "../contract/errors.ts";
import type { Category } from "../contract/schemas.ts";
import { check, checkId, given, refuse } from "../input/check.ts";
import {
  foreignId,
  optionalText,
  ownId,
  ownSlug,
  pictureUrl,
  position,
  slug,
  slugOf,
  text,
} from "../input/fields.ts";
import type { CategoryRecord } from "../rules/records.ts";
import { renderCategory } from "../rules/render.ts";
import { notFound, type OwnerContext, requireStore, unknownStore } from "./context.ts";

const fields = {
  name: text(200),
  slug: slug.optional(),
  description: optionalText(5000),
  image_url: pictureUrl.nullish(),
  parent_id: foreignId.nullish(),
  position: position.optional(),
  enabled: z.boolean().optional(),
};

export const CategoryInput = z.strictObject({ ...fields, id: ownId("cat").optional() });
export const CategoryChanges = z.strictObject(fields).partial();
/** Without a slug one is made from the name; an `id` of the host's own begins with `cat_`. */
export type CategoryInput = z.input<typeof CategoryInput>;
/** What is left out stays as it is; `null` empties a field that can be empty. */
export type CategoryChanges = z.input<typeof CategoryChanges>;

export interface OwnerCategory extends Category {
  /** Disabled ones are not shown; their products are. */
  readonly enabled: boolean;
}

export interface OwnerCategories {
  /** At most 1,000 a store. */
  create(store_id: string, input: CategoryInput): Promise<OwnerCategory>;
  update(store_id: string, id: string, changes: CategoryChanges): Promise<OwnerCategory>;
  retrieve(store_id: string, id: string): Promise<OwnerCategory>;
  /** All of them, disabled ones too. */
  list(store_id: string): Promise<readonly OwnerCategory[]>;
  /** Its products lose it and stay. */
  delete(store_id: string, id: string): Promise<void>;
}

const render = (record: CategoryRecord): OwnerCategory => ({
  ...renderCategory(record),
  enabled: record.enabled,
});

export function createCategories(ctx: OwnerContext): OwnerCategories {
  const { catalog } = ctx.storage;
  const find = async (store_id: string, id: string) => {
    const all = await catalog.listCategoryRecords(checkId("store_id", store_id));
    const category =
      all.find((record) => record.id === checkId("id", id)) ?? (await notFound(ctx, store_id));
    return { category, all };
  };
  return {
    async create(store_id, input) {
      const store = checkId("store_id", store_id);
      const checked = check(CategoryInput, input);
      const id = checked.id ?? ctx.newId("cat");
      const all = await catalog.listCategoryRecords(store);
      if (all.some((record) => record.id === id))
        return refuse("id", "is taken by another category");
      const now = ctx.now();
      const base = slugOf(checked.name);
      const record: CategoryRecord = {
        id,
        store_id: store,
        slug: checked.slug ?? base ?? ownSlug(null, id),
        name: checked.name,
        description: checked.description ?? null,
        image_url: checked.image_url ?? null,
        parent_id: checked.parent_id ?? null,
        position: checked.position ?? 0,
        enabled: checked.enabled ?? true,
        created_at: now,
        updated_at: now,
      };
      if (checked.slug !== undefined || !all.some((other) => other.slug === record.slug))
        if (await write(ctx, record, { spare: checked.slug === undefined })) return render(record);
      const made = { ...record, slug: ownSlug(base, id) };
      await write(ctx, made);
      return render(made);
    },
    async update(store_id, id, changes) {
      const changed = given(check(CategoryChanges, changes));
      for (;;) {
        const { category, all } = await find(store_id, id);
        const record = { ...category, ...changed, updated_at: ctx.now() };
        if (isOwnAncestor(record, all))
          return refuse("parent_id", "would make the category its own ancestor");
        if (await write(ctx, record, { before: category })) return render(record);
      }
    },
    retrieve: async (store_id, id) => render((await find(store_id, id)).category),
    async list(store_id) {
      const store = checkId("store_id", store_id);
      const records = await catalog.listCategoryRecords(store);
      if (records.length === 0) await requireStore(ctx, store);
      return records.map(render);
    },
    async delete(store_id, id) {
      const store = checkId("store_id", store_id);
      if (!(await catalog.deleteCategory(store, checkId("id", id)))) return notFound(ctx, store);
      ctx.changed(store);
    },
  };
}

/** False: another was faster, than the change of `before` or with a slug for which there is a spare one. */
async function write(
  ctx: OwnerContext,
  record: CategoryRecord,
  { before, spare = false }: { readonly before?: CategoryRecord; readonly spare?: boolean } = {},
): Promise<boolean> {
  const { outcome } = await ctx.storage.catalog.putCategory(record, before);
  switch (outcome) {
    case "stored":
      ctx.changed(record.store_id);
      return true;
    case "stale":
      return false;
    case "slug_taken":
      return spare ? false : refuse("slug", "is taken by another category");
    case "unknown_parent":
      return fail("resource_not_found", {
        param: "parent_id",
        message: "parent_id names a category that this store does not have.",
      });
    case "unknown_store":
      return unknownStore();
    case "limit":
      return refuse("store_id", "has 1,000 categories, which is the most a store can have");
  }
}

function isOwnAncestor(category: CategoryRecord, all: readonly CategoryRecord[]): boolean {
  const parents = new Map(all.map(({ id, parent_id }) => [id, parent_id]));
  let at = category.parent_id;
  // Bounded by the number of categories: two updates at once could have closed a ring that does not hold this one.
  for (let steps = 0; at !== null && steps <= all.length; steps++) {
    if (at === category.id) return true;
    at = parents.get(at) ?? null;
  }
  return false;
}
