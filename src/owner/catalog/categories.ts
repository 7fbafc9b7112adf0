import { z } from "zod";
import { fail } from "../../contract/errors.ts";
import type { Category } from "../../contract/schemas.ts";
import { check, checkId, emptyFields, given, refuse } from "../../input/check.ts";
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
} from "../../input/fields.ts";
import { renderCategory } from "../../rules/catalog/render.ts";
import type { CategoryRecord } from "../../rules/records.ts";
import { deleteRecord, putRecord } from "../../steps/record-steps.ts";
import { notFound, type OwnerContext, unknownStore } from "../context.ts";
import { requireExpected, type UpdateOptions } from "../expected.ts";
import { requireKnownStore } from "../known-store.ts";

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
/**
 * Describes a new category. Without a slug one is made from the name. An `id` of
 * your own begins with `cat_`.
 */
export interface CategoryInput extends z.input<typeof CategoryInput> {}
/** A field that is left out stays as it is; `null` empties one that may be empty. */
export interface CategoryChanges extends z.input<typeof CategoryChanges> {}

/** A category with the fields that only the owner sees. */
export interface OwnerCategory extends Category {
  /**
   * A category is shown only when this is true. The products of a disabled category
   * are shown.
   */
  readonly enabled: boolean;
}

/** Manages the categories of a store. */
export interface OwnerCategories {
  /** Creates a category. A store has at most 1,000 categories. */
  create(store_id: string, input: CategoryInput): Promise<OwnerCategory>;
  /**
   * Changes a category. Throws `resource_not_found` for a category of another store,
   * and `precondition_failed` when `expected` is no longer what is stored.
   */
  update(
    store_id: string,
    id: string,
    changes: CategoryChanges,
    options?: UpdateOptions<OwnerCategory>,
  ): Promise<OwnerCategory>;
  /** Reads a category. Throws `resource_not_found` for a category of another store. */
  retrieve(store_id: string, id: string): Promise<OwnerCategory>;
  /** Lists all categories, the disabled ones too. */
  list(store_id: string): Promise<readonly OwnerCategory[]>;
  /** Deletes a category. Its products stay, without the category. */
  delete(store_id: string, id: string): Promise<void>;
}

const render = (record: CategoryRecord): OwnerCategory => ({
  ...renderCategory(record),
  enabled: record.enabled,
});

export function createCategories(ctx: OwnerContext): OwnerCategories {
  const { catalog, records } = ctx.storage;
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
        ...emptyFields(fields),
        position: 0,
        enabled: true,
        ...given(checked),
        id,
        store_id: store,
        slug: checked.slug ?? base ?? ownSlug(null, id),
        created_at: now,
        updated_at: now,
      };

      const isSlugMade = checked.slug === undefined;
      const isSlugTaken = all.some((other) => other.slug === record.slug);
      if (!isSlugMade || !isSlugTaken) {
        const stored = await write(ctx, record, { canChangeSlug: isSlugMade });
        if (stored) return render(record);
      }

      // The slug that was made from the name is taken: the end of the id makes it unique.
      const renamed = { ...record, slug: ownSlug(base, id) };
      await write(ctx, renamed);
      return render(renamed);
    },

    async update(store_id, id, changes, options = {}) {
      const changed = given(check(CategoryChanges, changes));

      for (;;) {
        const { category, all } = await find(store_id, id);
        requireExpected(render(category), options);

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
      if (records.length === 0) await requireKnownStore(ctx, store);
      return records.map(render);
    },

    async delete(store_id, id) {
      const store = checkId("store_id", store_id);
      if (!(await deleteRecord(records, "category", { store_id: store, id: checkId("id", id) })))
        return notFound(ctx, store);
      ctx.changed(store);
    },
  };
}

interface WriteOptions {
  /** An update was made from this record. */
  readonly before?: CategoryRecord;
  /**
   * True when the caller can choose another slug. A taken slug is then no
   * error.
   */
  readonly canChangeSlug?: boolean;
}

/**
 * Returns false when nothing was written: another call has changed the category
 * since `before` was read, or the slug is taken and can be changed.
 */
async function write(
  ctx: OwnerContext,
  record: CategoryRecord,
  { before, canChangeSlug = false }: WriteOptions = {},
): Promise<boolean> {
  const { outcome } = await putRecord(ctx.storage.records, "category", record, before);
  switch (outcome) {
    case "stored":
      ctx.changed(record.store_id);
      return true;
    case "stale":
      return false;
    case "slug_taken":
      return canChangeSlug ? false : refuse("slug", "is taken by another category");
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
  let ancestor = category.parent_id;

  // Two simultaneous updates can make a circle of other categories. The number of categories bounds
  // the steps, so that such a circle does not make the loop endless.
  for (let steps = 0; ancestor !== null && steps <= all.length; steps++) {
    if (ancestor === category.id) return true;
    ancestor = parents.get(ancestor) ?? null;
  }
  return false;
}
