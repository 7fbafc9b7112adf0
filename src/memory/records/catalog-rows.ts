import { findAmong } from "../../rows/records.ts";
import type { FoundRecord } from "../../rules/owner/record-kinds.ts";
import { foundRecord } from "../../rules/owner/record-kinds.ts";
import type { CategoryRecord } from "../../rules/records.ts";
import type { RecordSubject } from "../../storage/record-store.ts";
import { modes, putProduct, rowsOfStore } from "../catalog/catalog-rows.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import type { RecordRows } from "./record-rows.ts";

interface CatalogRows {
  readonly category: RecordRows<"category">;
  readonly payment_method: RecordRows<"payment_method">;
  readonly coupon: RecordRows<"coupon">;
  readonly product: RecordRows<"product">;
}

/** Keeps categories, payment methods, coupons, and products one at a time. */
export function catalogRows(state: MemoryState): CatalogRows {
  const { products, stock } = state.catalog;

  return {
    category: {
      ...keptRows(state, "category"),
      remove(category) {
        rowsOfStore(state.catalog.categories, category.store_id).delete(category.id);
        removeCategory(state, category);
      },
    },
    payment_method: keptRows(state, "payment_method"),
    coupon: keptRows(state, "coupon"),
    product: {
      load: ({ store_id, id }) =>
        foundRecord<"product">({ record: rowsOfStore(products, store_id).get(id)?.record ?? null }),
      put: (product) => putProduct(state, product),
      remove({ store_id, id }) {
        rowsOfStore(products, store_id).delete(id);
        for (const livemode of modes) stock.delete(rowKey({ store_id, livemode }, id));
      },
    },
  };
}

interface KeptRecord {
  readonly store_id: string;
  readonly id: string;
}

/** The rows of a kind that is kept by store and id. */
function keptRows<Kind extends "category" | "payment_method" | "coupon">(
  state: MemoryState,
  kind: Kind,
): RecordRows<Kind> {
  const { categories, methods, coupons } = state.catalog;
  const tables = { category: categories, payment_method: methods, coupon: coupons };
  type Row = NonNullable<FoundRecord<Kind>["record"]>;
  // The table of the kind holds records of the kind: TypeScript does not follow the name.
  const table = tables[kind] as unknown as Map<string, Map<string, Row & KeptRecord>>;
  const rowsOf = (store_id: string) => rowsOfStore(table, store_id);

  return {
    load(subject: RecordSubject<Kind>) {
      const { store_id, parent_id = null } = subject;
      return findAmong<Kind>(rowsOf(store_id).values(), subject, {
        owner_exists: state.access.stores.has(store_id),
        parent_exists: parent_id === null || rowsOfStore(categories, store_id).has(parent_id),
      });
    },
    put(record) {
      const row = record as Row & KeptRecord;
      rowsOf(row.store_id).set(row.id, row);
    },
    remove(record) {
      const { store_id, id } = record as Row & KeptRecord;
      rowsOf(store_id).delete(id);
    },
  };
}

/** Takes a category out of its products and away from its children. */
function removeCategory(state: MemoryState, { store_id, id }: CategoryRecord): void {
  const categories = rowsOfStore(state.catalog.categories, store_id);
  for (const child of categories.values())
    if (child.parent_id === id) categories.set(child.id, { ...child, parent_id: null });

  for (const { record } of [...rowsOfStore(state.catalog.products, store_id).values()]) {
    if (!record.category_ids.includes(id)) continue;
    const category_ids = record.category_ids.filter((other) => other !== id);
    putProduct(state, { ...record, category_ids });
  }
}
