import { type Selectable, sql } from "kysely";
import { firstOfGroups, marksOf } from "#core/rules/catalog/groups/product-groups.ts";
import type { ProductRecord } from "#core/rules/records.ts";
import { fromJson } from "../../engine/columns.ts";
import type { Db, SqlEngine } from "../../engine/engine.ts";
import { many, type QueryGenerator } from "../../engine/queries.ts";
import { jsonInteger } from "../../schema/json-fields.ts";
import type { Tables } from "../../schema/tables.ts";
import { chunks } from "./chunks.ts";
import { storedProducts } from "./stored-products.ts";

export const markColumns = ["group_id", "combination", "sku", "external_id"] as const;

type Stored = Pick<Selectable<Tables["products"]>, "id" | (typeof markColumns)[number]>;

/**
 * Frees what the stored products were found by, where it changes: products of one call may exchange
 * their SKUs. Gives the groups that they were in.
 */
export function* releaseMarks(
  db: Db,
  store_id: string,
  stored: readonly Stored[],
  products: readonly ProductRecord[],
): QueryGenerator<readonly string[]> {
  const byId = new Map(products.map((product) => [product.id, marksOf(product)]));
  const changed = stored.filter((row) =>
    markColumns.some(
      (column) => row[column] !== null && row[column] !== byId.get(row.id)?.[column],
    ),
  );
  const ids = changed.map(({ id }) => id);
  for (const chunk of chunks(ids))
    yield* many(
      db
        .updateTable("products")
        .set({ combination: null, sku: null, external_id: null })
        .where("store_id", "=", store_id)
        .where("id", "in", chunk),
    );
  return stored.flatMap(({ group_id }) => group_id ?? []);
}

/**
 * Writes which product stands for each of these groups, under the lock of the store's row. A list
 * of groups reads it from an index, and never looks at the others.
 */
export function* placeGroups(
  { db, dialect }: SqlEngine,
  store_id: string,
  groups: Iterable<string>,
): QueryGenerator<void> {
  const price = sql.raw<number>(jsonInteger(dialect.name, "record", "price"));
  for (const chunk of chunks([...new Set(groups)].sort())) {
    const rows = yield* many(
      db
        .selectFrom("products")
        .select(["id", "group_id", "active", "position", "group_hidden", price.as("price")])
        .where("store_id", "=", store_id)
        .where("group_id", "in", chunk),
    );
    const firsts = firstOfGroups(
      rows.map((row) => ({
        ...row,
        group_id: row.group_id ?? "",
        active: row.active === 1,
        position: Number(row.position),
        price: Number(row.price),
      })),
    );
    const isShown = ({ id }: { readonly id: string }): boolean => firsts.has(id);
    const shown = rows.filter((row) => isShown(row) && row.group_hidden !== null);
    const hidden = rows.filter((row) => !isShown(row) && row.group_hidden === null);
    yield* setHidden(db, { store_id, ids: shown.map(({ id }) => id), group_hidden: null });
    yield* setHidden(db, { store_id, ids: hidden.map(({ id }) => id), group_hidden: 1 });
  }
}

interface Hidden {
  readonly store_id: string;
  readonly ids: readonly string[];
  readonly group_hidden: 1 | null;
}

function* setHidden(db: Db, { store_id, ids, group_hidden }: Hidden): QueryGenerator<void> {
  for (const chunk of chunks(ids)) {
    yield* many(
      db
        .updateTable("products")
        .set({ group_hidden })
        .where("store_id", "=", store_id)
        .where("id", "in", chunk),
    );
    yield* many(
      db
        .updateTable("product_categories")
        .set({ group_hidden })
        .where("store_id", "=", store_id)
        .where("product_id", "in", chunk),
    );
  }
}

/** Reads the products of groups. */
export function* findMembers(
  db: Db,
  store_id: string,
  groups: readonly string[],
): QueryGenerator<ReadonlyMap<string, readonly ProductRecord[]>> {
  const found = new Map<string, ProductRecord[]>();
  for (const chunk of chunks(groups)) {
    const rows = yield* many(
      db
        .selectFrom("products")
        .select(["group_id", "record"])
        .where("store_id", "=", store_id)
        .where("group_id", "in", chunk),
    );
    for (const { group_id, record } of rows) {
      const members = found.get(group_id ?? "") ?? [];
      found.set(group_id ?? "", [...members, fromJson<ProductRecord>(record)]);
    }
  }
  return found;
}

/** Reads which products have these values of a mark, save some. */
export function* findOwners(
  engine: SqlEngine,
  { store_id, column, values, except }: OwnersQuery,
): QueryGenerator<ReadonlyMap<string, string>> {
  if (values.length === 0) return new Map();

  const owners = new Map<string, string>();
  const found = storedProducts(engine, store_id, values, column).select(["id", column]);
  for (const row of yield* many(found)) {
    const value = row[column];
    if (value !== null && !except.has(row.id)) owners.set(value, row.id);
  }
  return owners;
}

interface OwnersQuery {
  readonly store_id: string;
  readonly column: "sku" | "external_id";
  readonly values: readonly string[];
  /** The ids of the products that are left out. */
  readonly except: ReadonlyMap<string, unknown>;
}
