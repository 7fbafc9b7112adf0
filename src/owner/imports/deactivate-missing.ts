import type { ProductRecord } from "../../rules/records.ts";
import type { OwnerContext } from "../context.ts";
import { rowsPerTransaction, type WriteDrafts } from "./store-rows.ts";

interface Missing {
  readonly ctx: OwnerContext;
  readonly store_id: string;
  readonly write: WriteDrafts;
  /** The slugs that the file has. */
  readonly slugs: ReadonlySet<string>;
}

/**
 * Makes drafts of the active products whose slugs a file does not have, page by page. Gives the
 * slugs of the products that it changed in each page.
 */
export async function* deactivateMissing(missing: Missing): AsyncGenerator<readonly string[]> {
  const { ctx, store_id } = missing;
  for (let after: string | null = null; ; ) {
    const page: readonly ProductRecord[] = await ctx.storage.catalog.listProductRecords(store_id, {
      active: true,
      after,
      limit: rowsPerTransaction,
    });
    const slugs = await deactivate(missing, page);
    if (slugs.length > 0) yield slugs;

    const last = page.at(-1);
    if (!last || page.length < rowsPerTransaction) return;
    after = last.id;
  }
}

async function deactivate(
  { ctx, store_id, write, slugs }: Missing,
  page: readonly ProductRecord[],
): Promise<readonly string[]> {
  const isMissing = ({ active, slug }: ProductRecord): boolean => active && !slugs.has(slug);

  for (let rows = page.filter(isMissing); rows.length > 0; ) {
    const drafts = rows.map((before) => ({
      record: { ...before, active: false, updated_at: ctx.now() },
      before,
      set_stock: false,
      generated_slug: false,
      root: "",
    }));
    if (await write(store_id, drafts)) return rows.map(({ slug }) => slug);

    // Another call changed one of these products meanwhile, so all are read again.
    const ids = rows.map(({ id }) => id);
    rows = (await ctx.storage.catalog.findProductRecords(store_id, ids)).filter(isMissing);
  }
  return [];
}
