import { type Compilable, type RawBuilder, sql } from "kysely";
import type { SqlEngine } from "../engine/engine.ts";
import type { Lines } from "../engine/shared-reads.ts";
import type { Place } from "../engine/step.ts";

/** Which clauses a product list needs; its values come with each run. */
export interface ListShape {
  readonly livemode: boolean;
  /** Asked of a replica: the rows say how new they are. */
  readonly replica: boolean;
  /** Null: of all categories. `slug` and `id` look the category up in the same statement. */
  readonly category: "slug" | "id" | null;
  readonly search: boolean;
  readonly after: boolean;
  /** The page lies within the first `nearRows`. */
  readonly near: boolean;
}

export interface DocumentRow {
  readonly id: string;
  readonly position: number;
  readonly document: string;
  readonly document_version: number;
  readonly catalog_version?: number | undefined;
}

/**
 * A row as one text: format version, position, catalog version (of a replica), id (which holds no blank) and document. Four columns of twenty rows cost more than the
 * query; one text of all rows cost PostgreSQL more than a message for each.
 */
export const lineOf = (
  { livemode, replica }: Pick<ListShape, "livemode" | "replica">,
  place: Place,
  of = "products",
) =>
  sql<string>`${sql.ref(`${of}.document_version`)} || ' ' || ${sql.ref(`${of}.position`)} || ' ' || ${replica ? sql`coalesce(${storeVersion(place)}, -1)` : sql`''`}
    || ' ' || ${sql.ref(`${of}.id`)} || ' ' || ${sql.ref(`${of}.${documentOf(livemode)}`)}`.as(
    "line",
  );

export function readLines(lines: Lines): DocumentRow[] {
  const rows: DocumentRow[] = [];
  for (const line of lines) if (line !== null) rows.push(readLine(line));
  return rows;
}

function readLine(line: string): DocumentRow {
  const position = line.indexOf(" ") + 1;
  const version = line.indexOf(" ", position) + 1;
  const id = line.indexOf(" ", version) + 1;
  const document = line.indexOf(" ", id) + 1;
  return {
    id: line.slice(id, document - 1),
    position: integerAt(line, position, version - 1),
    document: line.slice(document),
    document_version: integerAt(line, 0, position - 1),
    catalog_version: id - 1 === version ? undefined : integerAt(line, version, id - 1),
  };
}

/** Without a string for each number of each row. */
function integerAt(text: string, start: number, end: number): number {
  let value = 0;
  const negative = text.charCodeAt(start) === 45;
  for (let at = negative ? start + 1 : start; at < end; at += 1)
    value = value * 10 + (text.charCodeAt(at) - 48);
  return negative ? -value : value;
}

/** The version that a replica's rows belong to, read by their own statement. */
export const versionOf = (replica: boolean, place: Place) =>
  replica ? [storeVersion(place).as("catalog_version")] : [];
export const storeVersion = (place: Place) =>
  sql<number>`(select s.catalog_version from ${sql.table("stores")} as s where s.id = ${place("store_id")})`;

interface Versioned {
  readonly catalog_version?: number | undefined;
}

/** Lets the rows of a primary pass, and those of a replica that are as new as the caller asks; no row tells no version. */
export const upToDate =
  (replica: boolean) =>
  <R extends Versioned>(rows: readonly R[], wanted = 0): readonly R[] => {
    if (replica && (rows[0]?.catalog_version ?? -1) < wanted)
      throw new Error("The replica is behind.");
    return rows;
  };

export const nameOfShape = ({ livemode, category, search, after, near }: ListShape): string =>
  `${livemode}${category}${search}${after}${near}`;

/** A page within these is read by a statement whose plan is kept, whatever its limit and offset. */
export const nearRows = 1_000;

const documentOf = (livemode: boolean) =>
  livemode ? ("document_live" as const) : ("document_test" as const);

/** A page of the list in its order; each row is judged by itself. */
export function listQuery(
  { db, dialect }: SqlEngine,
  shape: ListShape,
  place: Place,
): Compilable<{ line: string }> {
  let rows = db
    .selectFrom("products")
    .where("products.store_id", "=", place<string>("store_id"))
    .where("products.active", "=", sql.lit(1)); // as in the partial index: a parameter hides it from a generic plan
  if (shape.category !== null) {
    rows = rows
      .innerJoin("product_categories", (join) =>
        join
          .onRef("product_categories.store_id", "=", "products.store_id")
          .onRef("product_categories.product_id", "=", "products.id"),
      )
      .where("product_categories.store_id", "=", place<string>("store_id"))
      .where("product_categories.category_id", "=", categoryId(shape.category, place));
  }
  const order = shape.category
    ? (["product_categories.position", "product_categories.product_id"] as const)
    : (["products.position", "products.id"] as const);
  if (shape.search) {
    const part = place<string>("search");
    rows = rows.where((eb) =>
      eb.or([
        dialect.contains(eb.ref("name_folded"), part),
        dialect.contains(eb.ref("slug"), part),
      ]),
    );
  }
  if (shape.after)
    rows = rows.where(
      sql<boolean>`(${sql.ref(order[0])}, ${sql.ref(order[1])}) > (${place("position")}, ${place("id")})`,
    );
  const ordered = rows.orderBy(sql.ref(order[0])).orderBy(sql.ref(order[1]));
  const [limit, offset] = [place<number>("limit"), place<number>("offset")];
  if (!dialect.plansByNumbers)
    return ordered.select(lineOf(shape, place)).limit(limit).offset(offset);
  // Lines are made of the page's rows alone, not of those that the offset passes over.
  const columns = [
    "products.document_version",
    "products.position",
    "products.id",
    `products.${documentOf(shape.livemode)}`,
  ] as const;
  const sorted = ordered.select([
    ...columns,
    sql.ref(order[0]).as("sort_position"),
    sql.ref(order[1]).as("sort_id"),
  ]);
  const within = shape.near ? sorted.limit(sql.lit(nearRows)) : sorted.limit(limit).offset(offset);
  const page = db
    .selectFrom(within.as("page"))
    .select(lineOf(shape, place, "page"))
    .orderBy("sort_position")
    .orderBy("sort_id");
  if (!shape.near) return page;
  // As selects, or it would be planned anew for each number.
  const number = (given: RawBuilder<number>) => sql<number>`(select cast(${given} as bigint))`;
  return page.limit(number(limit)).offset(number(offset));
}

/** An enabled category by its slug or id, looked up within the list's own statement; disabled ones are as unknown. */
export const categoryId = (by: "slug" | "id", place: Place) =>
  sql<string>`(select c.id from ${sql.table("categories")} as c where c.store_id = ${place("store_id")} and c.enabled = 1 and ${sql.ref(`c.${by}`)} = ${place("category")})`;
