import type { SqlDialect } from "./dialect.ts";

type DatabaseName = SqlDialect["name"];
type Path = readonly [string, ...string[]];

// An index on a field of a JSON record serves a query only when both write the same expression.
// The schema and the queries therefore take it from here.

const textOn: Readonly<Record<DatabaseName, (column: string, path: Path) => string>> = {
  postgres: (column, path) => {
    const inner = path.slice(0, -1).map((name) => `->'${name}'`);
    return `(${column}::json${inner.join("")}->>'${path.at(-1)}')`;
  },
  sqlite: (column, path) => `json_extract(${column}, '$.${path.join(".")}')`,
};

/** The text of a field in a JSON column; null where the record lacks it. */
export const jsonText = (database: DatabaseName, column: string, ...path: Path): string =>
  textOn[database](column, path);

/** A whole number in a JSON column; null where the record lacks it. */
export const jsonInteger = (database: DatabaseName, column: string, ...path: Path): string => {
  const field = textOn[database](column, path);
  return database === "postgres" ? `(${field}::bigint)` : field;
};

/** The fields of records that lists are filtered and sorted by. */
export const listedFields = (database: DatabaseName) => {
  const text = (name: string): string => jsonText(database, "record", name);

  return {
    created_at: jsonInteger(database, "record", "created_at"),
    /** An older version called a pending refund `reserved`. */
    refund_state: `replace(${text("state")}, 'reserved', 'pending')`,
    dispute_status: `coalesce(${text("outcome")}, 'open')`,
    period_end: jsonInteger(database, "record", "current_period_end"),
    coupon_id: text("coupon_id"),
    coupon_holds: text("holds"),
    event_order: jsonText(database, "body", "data", "order", "id"),
  };
};
