import { fail } from "../../contract/errors.ts";
import { refuse } from "../../input/check.ts";
import { type GroupFault, maxVariants } from "../../rules/catalog/groups/product-groups.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { putProducts } from "../../steps/product-steps.ts";
import { type OwnerContext, unknownStore } from "../context.ts";
import { type Draft, makeSlugsDiffer, withSlugOfId } from "./product-drafts.ts";

/**
 * Stores the drafts. A taken slug gets the end of the product's id when it was made
 * from the name, and is refused when the owner chose it. Returns null when another
 * call has changed a product since its `before` was read.
 */
export async function writeProducts(
  ctx: OwnerContext,
  store_id: string,
  drafts: readonly Draft[],
  { dry_run = false } = {},
): Promise<readonly ProductRecord[] | null> {
  const ready = makeSlugsDiffer(drafts);

  for (let attempts = 0; ; attempts++) {
    const result = await putProducts(ctx.storage.records, store_id, ready, { dry_run });
    if (result.outcome === "stored") {
      if (!dry_run) ctx.changed(store_id);
      return ready.map(({ record }) => record);
    }
    if (result.outcome === "stale") return null;
    if (result.outcome === "unknown_store") return unknownStore();

    const draft = ready[result.index];
    const root = draft?.root ?? "";
    if (result.outcome === "unknown_category") {
      return fail("resource_not_found", {
        param: `${root}category_ids`,
        message: `${root}category_ids names a category that this store does not have.`,
      });
    }
    if (result.outcome === "group_refused") return refuseGroup(root, result.fault);
    const field = takenFields[result.outcome];
    if (field !== "slug" || !draft?.generated_slug || attempts === maxSlugAttempts)
      return refuse(`${root}${field}`, "is taken by another product");

    ready[result.index] = withSlugOfId(draft);
  }
}

const takenFields = {
  slug_taken: "slug",
  sku_taken: "sku",
  external_id_taken: "external_id",
} as const;

function refuseGroup(root: string, fault: GroupFault): never {
  switch (fault.reason) {
    case "no_options":
      return refuse(`${root}options`, "must name what tells the product from others of its group");
    case "other_names":
      return refuse(
        `${root}options`,
        `must have the names of the group, in their order: ${fault.names.join(", ")}`,
      );
    case "combination_taken":
      return refuse(`${root}options`, `are those of ${fault.by}, which is in the group too`);
    case "full":
      return refuse(`${root}group`, `has ${maxVariants} products already`);
  }
}

/**
 * After each taken slug the whole transaction runs again. The limit refuses a large
 * import whose names all exist already.
 */
const maxSlugAttempts = 20;
