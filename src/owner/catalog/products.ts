import { fail } from "../../contract/errors.ts";
import type { Page } from "../../contract/routes.ts";
import type { Product } from "../../contract/schemas.ts";
import { fold } from "../../domain/text/fold.ts";
import { check, checkId, refuse } from "../../input/check.ts";
import type { OwnerFacets } from "../../rules/catalog/own-facets.ts";
import { renderProduct } from "../../rules/catalog/render.ts";
import type { ProductDelivery } from "../../rules/entitlements/entitlement-record.ts";
import type { ProductRecord } from "../../rules/records.ts";
import { deleteRecord } from "../../steps/record-steps.ts";
import { notFound, type OwnerContext } from "../context.ts";
import { requireExpected, type UpdateOptions } from "../expected.ts";
import type { ImportedRecords, RecordImport } from "../imports/imported-product.ts";
import type { ImportedProducts, ProductImport } from "../imports/product-import.ts";
import { requireKnownStore } from "../known-store.ts";
import { present } from "../listing.ts";
import { readPage } from "../page.ts";
import { type CheckedInput, draftOf } from "./product-drafts.ts";
import {
  indexOfRepeat,
  type OwnerFacetQuery,
  OwnerProductQuery,
  type ProductChanges,
  ProductInput,
  ProductPut,
  ProductPuts,
} from "./product-input.ts";
import type { KeyPoolRef, KeysLeft, KeyUpload, UploadedKeys } from "./product-keys.ts";
import { readSorted } from "./product-sorts.ts";
import { readStock, type StockLeft, type StockQuery } from "./product-stock.ts";
import type { ProductUpdate } from "./product-updates.ts";
import { writeProducts } from "./product-writes.ts";

/**
 * A product as the owner sees it. It has no `available`, because that depends on
 * what is left of the stock in each mode.
 */
export interface OwnerProduct extends Omit<Product, "available" | "group"> {
  /** False means that the product is a draft, which the public API does not show. */
  readonly active: boolean;
  /** True means that the product is shown, but cannot be bought. */
  readonly blocked: boolean;
  /**
   * The stock as it was last set here. It is null when the stock is not counted.
   * `countStock` tells what is left of it.
   */
  readonly stock: number | null;
  /** The buyer gets this once the order is paid. Null means nothing of ours. */
  readonly delivery: ProductDelivery | null;
  readonly position: number;
  /** What the owner counts it by, unique in the store whatever its case. Absent without. */
  readonly sku?: string;
  /** The product's id in another shop or program, unique in the store. Absent without. */
  readonly external_id?: string;
  /** The products of one group are the variants of one thing. Absent without. */
  readonly group?: string;
}

/** Manages the products of a store. */
export interface OwnerProducts {
  /** Creates a new product, with a new id. */
  create(store_id: string, input: ProductInput): Promise<OwnerProduct>;
  /**
   * Creates or replaces a product by `id`. A field that is left out gets its
   * default value. Only the slug and the stock of a stored product stay.
   */
  put(store_id: string, input: ProductPut): Promise<OwnerProduct>;
  /**
   * Stores up to 10,000 products in one transaction, each as `put` does. Either all
   * of them are stored or none is, and the catalog version rises once. `expected` has
   * some of them as you have read them: when another is stored by now, the call throws
   * `precondition_failed`.
   */
  putMany(
    store_id: string,
    inputs: readonly ProductPut[],
    options?: UpdateOptions<readonly OwnerProduct[]>,
  ): Promise<readonly OwnerProduct[]>;
  /**
   * Reads products from a CSV or JSON lines, as `owner.export` writes them, and
   * stores 200 in a transaction. A field that a row leaves out stays as it is.
   * Wrong rows are not stored, and the result names their lines. The 100th wrong
   * row ends the import. A product that already is as its row says is not written
   * (docs/contract/back-office.md#exports). It throws `parameter_invalid` for a header that
   * cannot be read, before anything is stored. With `dry_run` it tells the same and
   * stores nothing.
   */
  import(input: ProductImport): Promise<ImportedProducts>;
  /**
   * Creates and updates products from records of any source, such as `readProducts` of
   * `vitrine/import` gives, and stores 200 in a transaction. A product is found by its slug.
   * Wrong records are left out, and told (docs/contract/catalog.md#imports). With `dry_run` it
   * tells the same and stores nothing.
   */
  importRecords(input: RecordImport): Promise<ImportedRecords>;
  /**
   * Changes a product. `stock` sets what is on hand in both modes, and pieces that
   * orders hold stay held. Without `stock` the current count stays. Throws
   * `precondition_failed` when `expected` is no longer what is stored.
   */
  update(
    store_id: string,
    id: string,
    changes: ProductChanges,
    options?: UpdateOptions<OwnerProduct>,
  ): Promise<OwnerProduct>;
  /**
   * Changes up to 1,000 products in one transaction, each as `update` does: all of them, or none.
   * The audit log gets one entry. Throws `precondition_failed` when a product differs from its
   * `expected`.
   */
  updateMany(
    store_id: string,
    updates: readonly ProductUpdate<OwnerProduct>[],
  ): Promise<readonly OwnerProduct[]>;
  /** Reads a product, also a draft. */
  retrieve(store_id: string, id: string): Promise<OwnerProduct>;
  /**
   * Lists products ordered by id, or by `sort`. It lists all, drafts too, or those of a
   * text, a state, a category or an amount of stock that is left.
   */
  list(store_id: string, query?: OwnerProductQuery): Promise<Page<OwnerProduct>>;
  /**
   * Tells what is left of the stock of these products in one mode, in their order. A
   * product that is not counted, and an unknown one, is left out.
   */
  countStock(query: StockQuery): Promise<readonly StockLeft[]>;
  /**
   * Tells how many products each category, span of prices and level of stock would leave of a
   * list, with its other filters as they are. Gives null where the search, the group and
   * `active` leave more than 1,000.
   */
  facets(store_id: string, query?: OwnerFacetQuery): Promise<OwnerFacets | null>;
  /**
   * Uploads license keys of a product that delivers `uploaded` ones, for one mode. A key that was
   * uploaded before is passed over, so that a call may be repeated. Orders that wait for a key get
   * theirs at once, the oldest first.
   */
  uploadKeys(upload: KeyUpload): Promise<UploadedKeys>;
  /** Counts the uploaded keys that nobody has got yet. */
  countKeys(pool: KeyPoolRef): Promise<KeysLeft>;
  /**
   * Deletes a product. Orders and sessions keep the copy of the product that they
   * were made with.
   */
  delete(store_id: string, id: string): Promise<void>;
}

export function createProducts(ctx: OwnerContext): OwnerProducts {
  const { catalog, records } = ctx.storage;
  const find = async (store_id: string, id: string): Promise<ProductRecord | null> =>
    (await catalog.findProductRecords(store_id, [id]))[0] ?? null;

  const put = async (store: string, input: CheckedInput): Promise<OwnerProduct> => {
    const stored = input.id === undefined ? null : await find(store, input.id);
    const draft = draftOf(ctx, { store_id: store, input, stored, root: "" });

    const [record] = (await writeProducts(ctx, store, [draft])) ?? [];
    return record ? render(record) : notFound(ctx, store);
  };

  return {
    create: async (store_id, input) =>
      put(checkId("store_id", store_id), check(ProductInput, input)),
    put: async (store_id, input) => put(checkId("store_id", store_id), check(ProductPut, input)),

    putMany: async (store_id, inputs, options) =>
      putMany(ctx, checkId("store_id", store_id), inputs, options),

    async import(input) {
      const { importProducts } = await import("../imports/import-products.ts");
      return importProducts(ctx, input, (...args) => writeProducts(ctx, ...args));
    },

    async importRecords(input) {
      const { importRecords } = await import("../imports/import-records.ts");
      return importRecords(ctx, input, (...args) => writeProducts(ctx, ...args));
    },

    async update(store_id, id, changes, options = {}) {
      const store = checkId("store_id", store_id);
      const { updateProduct } = await import("./product-updates.ts");
      return updateProduct(ctx, store, { id: checkId("id", id), changes, ...options }, render);
    },

    async updateMany(store_id, updates) {
      const store = checkId("store_id", store_id);
      const { updateProducts } = await import("./product-updates.ts");
      return updateProducts(ctx, store, updates, render);
    },

    async retrieve(store_id, id) {
      const store = checkId("store_id", store_id);
      const record = await find(store, checkId("id", id));
      return record ? render(record) : notFound(ctx, store);
    },

    async uploadKeys(upload) {
      const { uploadProductKeys } = await import("./product-keys.ts");
      return uploadProductKeys(ctx, upload);
    },

    async countKeys(pool) {
      const { countProductKeys } = await import("./product-keys.ts");
      return countProductKeys(ctx, pool);
    },

    countStock: async (query) => readStock(ctx, query),
    async facets(store_id, query = {}) {
      const { readFacets } = await import("./product-facets.ts");
      return readFacets(ctx, checkId("store_id", store_id), query);
    },

    list: async (store_id, query = {}) => listProducts(ctx, checkId("store_id", store_id), query),

    async delete(store_id, id) {
      const store = checkId("store_id", store_id);
      if (!(await deleteRecord(records, "product", { store_id: store, id: checkId("id", id) })))
        return notFound(ctx, store);
      ctx.changed(store);
    },
  };
}

async function listProducts(
  ctx: OwnerContext,
  store_id: string,
  query: OwnerProductQuery,
): Promise<Page<OwnerProduct>> {
  const { search, group, active, category_id, stock, livemode, sort, ...others } = check(
    OwnerProductQuery,
    query,
  );
  const { min_price, max_price, ...range } = others;
  const price = present({ min: min_price, max: max_price });
  const left = stock && { level: stock, livemode: livemode ?? true };
  const words = { search: search && fold(search), code: search };
  const filters = present({ ...words, group, active, category_id, price, stock: left });
  const page = sort
    ? await readSorted(ctx, { store_id, ...range, sort, ...filters }, render)
    : await readPage(
        range,
        (rows) => ctx.storage.catalog.listProductRecords(store_id, { ...filters, ...rows }),
        render,
      );
  if (page.data.length === 0) await requireKnownStore(ctx, store_id);
  return page;
}

async function putMany(
  ctx: OwnerContext,
  store: string,
  inputs: readonly ProductPut[],
  { expected = [] }: UpdateOptions<readonly OwnerProduct[]> = {},
): Promise<readonly OwnerProduct[]> {
  const checked = check(ProductPuts, inputs, "products");
  const ids = checked.flatMap(({ id }) => id ?? []);
  const repeat = indexOfRepeat(ids);
  if (repeat !== null) {
    const last = checked.findLastIndex(({ id }) => id === ids[repeat]);
    refuse(`products[${last}].id`, "is given twice");
  }
  if (checked.length === 0) {
    await requireKnownStore(ctx, store);
    return [];
  }

  const readById = new Map(expected.map((product) => [product.id, product]));
  for (;;) {
    const found = await ctx.storage.catalog.findProductRecords(store, ids);
    const storedById = new Map(found.map((record) => [record.id, record]));
    const drafts = checked.map((input, index) => {
      const stored = storedById.get(input.id ?? "") ?? null;
      const draft = draftOf(ctx, { store_id: store, input, stored, root: `products[${index}].` });
      const read = readById.get(draft.record.id);
      if (read === undefined) return draft;
      if (!stored) return fail("precondition_failed");
      requireExpected(render(stored), { expected: read });
      return { ...draft, before: stored };
    });

    const written = await writeProducts(ctx, store, drafts);
    if (written) return written.map(render);
  }
}

function render(record: ProductRecord): OwnerProduct {
  const { available, group: _, ...shown } = renderProduct(record, true);
  return {
    ...shown,
    active: record.active,
    blocked: record.blocked,
    stock: record.stock,
    delivery: record.delivery ?? null,
    position: record.position,
    ...(record.sku && { sku: record.sku }),
    ...(record.external_id && { external_id: record.external_id }),
    ...(record.group && { group: record.group }),
  };
}
