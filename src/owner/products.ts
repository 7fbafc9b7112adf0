import type { z } from "zod";
import { fail } from "../contract/errors.ts";
import type { Page } from "../contract/routes.ts";
import type { Product } from "../contract/schemas.ts";
import { check, checkId, given, refuse } from "../input/check.ts";
import { ownSlug, slugOf } from "../input/fields.ts";
import type { ProductRecord } from "../rules/records.ts";
import { renderProduct } from "../rules/render.ts";
import { notFound, type OwnerContext, requireStore, unknownStore } from "./context.ts";
import { type PageQuery, readPage } from "./page.ts";
import {
  ProductChanges,
  ProductInput,
  ProductPut,
  ProductPuts,
  repeated,
} from "./product-input.ts";

/** `available` is missing: it is judged per mode, from what is left of the stock. */
export interface OwnerProduct extends Omit<Product, "available"> {
  /** False: a draft, not listed and not found by the public API. */
  readonly active: boolean;
  /** True: shown, but cannot be bought. */
  readonly blocked: boolean;
  /** As last set here, not what is left of it; null = not counted. */
  readonly stock: number | null;
  readonly position: number;
}

export interface OwnerProducts {
  /** Always a new product, with an id of its own. */
  create(store_id: string, input: ProductInput): Promise<OwnerProduct>;
  /** Creates or replaces by `id`: what is left out takes its default, but slug and stock of a stored product stay. */
  put(store_id: string, input: ProductPut): Promise<OwnerProduct>;
  /** `put` for up to 10,000 at once: all or none, one transaction, one bump of the catalog version. */
  putMany(store_id: string, inputs: readonly ProductPut[]): Promise<readonly OwnerProduct[]>;
  /** `stock` sets what is on hand in both modes, leaving what is held; without it the count goes on. */
  update(store_id: string, id: string, changes: ProductChanges): Promise<OwnerProduct>;
  /** Drafts too. */
  retrieve(store_id: string, id: string): Promise<OwnerProduct>;
  /** All of them, drafts too, in the order of ids. */
  list(store_id: string, query?: PageQuery): Promise<Page<OwnerProduct>>;
  /** Orders and sessions keep their snapshots of it. */
  delete(store_id: string, id: string): Promise<void>;
}

/** A record on its way to storage. `root` names its input in errors: empty, or `products[3].`. */
interface Draft {
  readonly record: ProductRecord;
  readonly set_stock: boolean;
  /** Of an update: what it was made over. */
  readonly before?: ProductRecord;
  readonly generated_slug: boolean;
  readonly root: string;
}

export function createProducts(ctx: OwnerContext): OwnerProducts {
  const { catalog } = ctx.storage;
  const put = async (store: string, input: z.output<typeof ProductPut>): Promise<OwnerProduct> => {
    const stored = input.id === undefined ? null : await catalog.findProductRecord(store, input.id);
    const [record] = (await write(ctx, store, [draftOf(ctx, store, input, stored, "")])) ?? [];
    return record ? render(record) : notFound(ctx, store);
  };
  return {
    create: async (store_id, input) =>
      put(checkId("store_id", store_id), check(ProductInput, input)),
    put: async (store_id, input) => put(checkId("store_id", store_id), check(ProductPut, input)),
    async putMany(store_id, inputs) {
      const store = checkId("store_id", store_id);
      const checked = check(ProductPuts, inputs, "products");
      const ids = checked.flatMap(({ id }) => id ?? []);
      const twice = repeated(ids);
      if (twice !== null)
        refuse(
          `products[${checked.findLastIndex(({ id }) => id === ids[twice])}].id`,
          "is given twice",
        );
      if (checked.length === 0) {
        await requireStore(ctx, store);
        return [];
      }
      const stored = new Map(
        (await catalog.findProductRecords(store, ids)).map((record) => [record.id, record]),
      );
      const drafts = checked.map((input, i) =>
        draftOf(ctx, store, input, stored.get(input.id ?? "") ?? null, `products[${i}].`),
      );
      return ((await write(ctx, store, drafts)) ?? []).map(render);
    },
    async update(store_id, id, changes) {
      const store = checkId("store_id", store_id);
      const changed = given(check(ProductChanges, changes));
      for (;;) {
        const before = await catalog.findProductRecord(store, checkId("id", id));
        if (!before) return notFound(ctx, store);
        const record = { ...before, ...changed, updated_at: ctx.now() };
        const written = await write(ctx, store, [
          {
            record,
            before,
            set_stock: changed.stock !== undefined,
            generated_slug: false,
            root: "",
          },
        ]);
        if (written) return render(written[0] ?? record);
      }
    },
    async retrieve(store_id, id) {
      const store = checkId("store_id", store_id);
      const record = await catalog.findProductRecord(store, checkId("id", id));
      return record ? render(record) : notFound(ctx, store);
    },
    async list(store_id, query = {}) {
      const store = checkId("store_id", store_id);
      const page = await readPage(
        query,
        (range) => catalog.listProductRecords(store, range),
        render,
      );
      if (page.data.length === 0) await requireStore(ctx, store);
      return page;
    },
    async delete(store_id, id) {
      const store = checkId("store_id", store_id);
      if (!(await catalog.deleteProduct(store, checkId("id", id)))) return notFound(ctx, store);
      ctx.changed(store);
    },
  };
}

function render(record: ProductRecord): OwnerProduct {
  const { available, ...shown } = renderProduct(record, true);
  return {
    ...shown,
    active: record.active,
    blocked: record.blocked,
    stock: record.stock,
    position: record.position,
  };
}

function draftOf(
  ctx: OwnerContext,
  store_id: string,
  input: z.output<typeof ProductPut>,
  stored: ProductRecord | null,
  root: string,
): Draft {
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

/** Slugs that were made here and are taken get the end of their id; slugs that the owner chose are refused. Null: another was faster. */
async function write(
  ctx: OwnerContext,
  store_id: string,
  drafts: readonly Draft[],
): Promise<readonly ProductRecord[] | null> {
  const ready = spreadSlugs(drafts);
  for (let clashes = 0; ; clashes++) {
    const result = await ctx.storage.catalog.putProducts(store_id, ready);
    if (result.outcome === "stored") {
      ctx.changed(store_id);
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
    if (!draft?.generated_slug || clashes === maxSlugClashes)
      return refuse(`${root}slug`, "is taken by another product");
    ready[result.index] = withOwnSlug(draft);
  }
}

/** Each clash is one more try of the whole step: a large import of names that all exist already is refused instead. */
const maxSlugClashes = 20;

function withOwnSlug(draft: Draft): Draft {
  const { record } = draft;
  return {
    ...draft,
    generated_slug: false,
    record: { ...record, slug: ownSlug(slugOf(record.name), record.id) },
  };
}

/** Equal names within one call. */
function spreadSlugs(drafts: readonly Draft[]): Draft[] {
  const chosen = new Set(
    drafts.filter((draft) => !draft.generated_slug).map(({ record }) => record.slug),
  );
  return drafts.map((draft) => {
    if (!draft.generated_slug) return draft;
    if (chosen.has(draft.record.slug)) return withOwnSlug(draft);
    chosen.add(draft.record.slug);
    return draft;
  });
}
