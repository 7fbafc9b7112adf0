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

/** Writes the text of a field in a JSON column. It is null where the record lacks the field. */
export const jsonText = (database: DatabaseName, column: string, ...path: Path): string =>
  textOn[database](column, path);

/** Writes a whole number in a JSON column. It is null where the record lacks the field. */
export const jsonInteger = (database: DatabaseName, column: string, ...path: Path): string => {
  const field = textOn[database](column, path);
  return database === "postgres" ? `(${field}::bigint)` : field;
};

/**
 * Writes an expression that cuts a field out of the JSON text in `column`: the text
 * between a mark and the next quotation mark. PostgreSQL's own operators would parse the
 * whole JSON, and a purchase would spend a third of its database time on that. Only our own
 * keys can match the mark: inside a value, `JSON.stringify` writes a backslash before
 * each quotation mark.
 */
const textBehind = (column: string, mark: string): string =>
  `split_part(split_part(${column}, '${mark}', 2), '"', 1)`;

/** Names the order that an event tells of. No other object in an event's data begins like it. */
const eventOrder: Readonly<Record<DatabaseName, string>> = {
  postgres: textBehind("body", '"order":{"id":"'),
  sqlite: jsonText("sqlite", "body", "data", "order", "id"),
};

/**
 * Names the coupon of an order. Most orders have none: a look for the key saves
 * PostgreSQL from parsing their JSON.
 */
const couponOf: Readonly<Record<DatabaseName, string>> = {
  postgres: `(case when strpos(record, '"coupon_id":"') > 0
    then ${jsonText("postgres", "record", "coupon_id")} end)`,
  sqlite: jsonText("sqlite", "record", "coupon_id"),
};

/** Tells when an order was paid. Most writes of an order are of one that is not paid yet. */
const paidAt: Readonly<Record<DatabaseName, string>> = {
  postgres: `(case when strpos(record, '"paid_at":null') = 0
    then ${jsonInteger("postgres", "record", "paid_at")} end)`,
  sqlite: jsonInteger("sqlite", "record", "paid_at"),
};

/** Gives the fields of records that lists are filtered and sorted by. */
export const listedFields = (database: DatabaseName) => {
  const text = (name: string): string => jsonText(database, "record", name);
  const time = (name: string): string => jsonInteger(database, "record", name);

  return {
    created_at: jsonInteger(database, "record", "created_at"),
    /** An older version called a pending refund `reserved`. */
    refund_state: `replace(${text("state")}, 'reserved', 'pending')`,
    dispute_status: `coalesce(${text("outcome")}, 'open')`,
    period_end: jsonInteger(database, "record", "current_period_end"),
    coupon_id: couponOf[database],
    coupon_holds: text("holds"),
    event_order: eventOrder[database],
    paid_at: paidAt[database],
    /** Null unless the refund has succeeded. An older version did not keep this time. */
    succeeded_at: `(case when ${text("state")} = 'succeeded'
      then coalesce(${time("succeeded_at")}, ${time("updated_at")}) end)`,
    /** Null unless the dispute is lost, which is the last change of its record. */
    lost_at: `(case when ${text("outcome")} = 'lost' then ${time("updated_at")} end)`,
  };
};

/**
 * Writes the beginning of a product's folded name, compared by its bytes. A whole name may be too
 * long for an index.
 */
export const nameBeginning = (database: DatabaseName, table = ""): string => {
  const beginning = `substr(${table}name_folded, 1, 200)`;
  return database === "postgres" ? `${beginning} collate "C"` : beginning;
};
