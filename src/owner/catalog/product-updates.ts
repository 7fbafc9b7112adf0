import { z } from "zod";
import { fail } from "../../contract/errors.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { check, given, refuse } from "../../input/check.ts";
import { foreignId } from "../../input/fields.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { notFound, type OwnerContext } from "../context.ts";
import { requireExpected } from "../expected.ts";
import { requireKnownStore } from "../known-store.ts";
import { withoutEmptyMarks } from "./product-drafts.ts";
import { indexOfRepeat, ProductChanges } from "./product-input.ts";
import { writeProducts } from "./product-writes.ts";

const ProductUpdate = z.strictObject({
  id: foreignId,
  changes: ProductChanges,
  expected: z.looseObject({}).optional(),
});
/** A change of one of several products. `changes` and `expected` are those of `update`. */
export interface ProductUpdate<Shown> extends Omit<z.input<typeof ProductUpdate>, "expected"> {
  /** The product as you have read it. */
  readonly expected?: Shown | undefined;
}

const ProductUpdates = z.array(ProductUpdate).max(1_000);

/** Changes a product as it stands, and begins anew when somebody else changes it meanwhile. */
export async function updateProduct<Shown>(
  ctx: OwnerContext,
  store_id: string,
  { id, changes, expected }: ProductUpdate<Shown>,
  render: (record: ProductRecord) => Shown,
): Promise<Shown> {
  const changed = given(check(ProductChanges, changes));

  for (;;) {
    const [before] = await ctx.storage.catalog.findProductRecords(store_id, [id]);
    if (!before) return notFound(ctx, store_id);
    requireExpected(render(before), { expected });

    const record = withoutEmptyMarks({ ...before, ...changed, updated_at: ctx.now() });
    const set_stock = changed.stock !== undefined;
    const draft = { record, before, set_stock, generated_slug: false, root: "" };
    const written = await writeProducts(ctx, store_id, [draft]);
    if (written) return render(written[0] ?? record);
  }
}

/** Changes products of a store in one transaction. */
export async function updateProducts<Shown>(
  ctx: OwnerContext,
  store_id: string,
  updates: readonly ProductUpdate<Shown>[],
  render: (record: ProductRecord) => Shown,
): Promise<readonly Shown[]> {
  const checked = check(ProductUpdates, updates, "products");
  const ids = checked.map(({ id }) => id);
  if (indexOfRepeat(ids) !== null) {
    const last = ids.findLastIndex((id, index) => ids.indexOf(id) !== index);
    refuse(`products[${last}].id`, "is given twice");
  }
  if (ids.length === 0) {
    await requireKnownStore(ctx, store_id);
    return [];
  }

  for (;;) {
    const found = await ctx.storage.catalog.findProductRecords(store_id, ids);
    const byId = new Map(found.map((record) => [record.id, record]));
    if (found.length === 0) await requireKnownStore(ctx, store_id);

    const drafts = checked.map(({ id, changes, expected }, index) => {
      const root = `products[${index}].`;
      const before = byId.get(id);
      if (!before) return fail("resource_not_found", { param: `${root}id` });
      if (expected && canonicalJson(render(before)) !== canonicalJson(expected))
        return fail("precondition_failed", { param: `${root}expected` });

      const changed = given(changes);
      const record = withoutEmptyMarks({ ...before, ...changed, updated_at: ctx.now() });
      const set_stock = changed.stock !== undefined;
      return { record, before, set_stock, generated_slug: false, root };
    });
    const written = await writeProducts(ctx, store_id, drafts);
    if (written) return written.map(render);
  }
}
