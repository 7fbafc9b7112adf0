import type { OwnerProducts } from "../owner/catalog/products.ts";
import type {
  ImportedRecords,
  ReadProduct,
  RecordImport,
} from "../owner/imports/imported-product.ts";

/** The storefront, or the services of an actor, `storefront.as(actor)`. */
export interface ImportTarget {
  readonly owner: { readonly products: Pick<OwnerProducts, "importRecords"> };
}

/** Which store the records are for, and what becomes of products that they leave out. */
export interface ImportOptions extends Omit<RecordImport, "records" | "dry_run"> {}

/**
 * Tells what `applyImport` would do, by the same code, and stores nothing. Outcomes of single
 * records come to `onProgress`.
 */
export const planImport = (
  storefront: ImportTarget,
  records: AsyncIterable<ReadProduct>,
  options: ImportOptions,
): Promise<ImportedRecords> =>
  storefront.owner.products.importRecords({ ...options, records, dry_run: true });

/**
 * Creates and updates the products of the records, 200 in a transaction. After a kill, call
 * it again: what was stored is then `unchanged`.
 */
export const applyImport = (
  storefront: ImportTarget,
  records: AsyncIterable<ReadProduct>,
  options: ImportOptions,
): Promise<ImportedRecords> =>
  storefront.owner.products.importRecords({ ...options, records, dry_run: false });
