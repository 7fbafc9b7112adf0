import { unguardCell } from "../../domain/text/csv.ts";
import { nearestName } from "../../domain/text/nearest.ts";
import type { TextRow } from "../../domain/text/row-reader.ts";
import { refuse } from "../../input/check.ts";
import { ProductPut } from "../catalog/product-input.ts";
import type { Column } from "../exports/cells.ts";
import { isPassedOver, productColumns } from "../exports/product-columns.ts";
import { parseJson, type ReadRow } from "./read-rows.ts";

/** Reads the header. Throws `parameter_invalid` for a column that is unknown or repeated. */
export function readHeader(header: TextRow | undefined): (row: TextRow) => ReadRow {
  if (!header) return refuse("body", "must begin with a header");

  const names = header.cells.map((cell) => cell.trim());
  if (names.length === 1 && /[;\t]/.test(names[0] ?? ""))
    refuse("body", "must have columns that are separated by commas");
  const columns = names.map((name, index) => {
    if (names.indexOf(name) !== index) refuse("body", `has the column ${shown(name)} twice`);
    return columnOf(name);
  });
  return (row) => readRow(columns, row);
}

function columnOf(name: string): Column {
  const column = productColumns.find((each) => each.name === name);
  if (column) return column;
  if (isPassedOver(name)) return { name, path: [name], cell: "text" };

  const known = productColumns.map((each) => each.name);
  const nearest = nearestName(name, known);
  const hint = nearest === null ? `they are ${known.join(", ")}` : `did you mean ${nearest}?`;
  return refuse("body", `has the column ${shown(name)}, which no product has: ${hint}`);
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100));

function readRow(columns: readonly Column[], { line, cells }: TextRow): ReadRow {
  if (cells.length !== columns.length) {
    const message = `The row has ${cells.length} cells, and the header has ${columns.length}.`;
    return { fault: { line, field: null, message }, slug: null };
  }

  const fields: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const { name, path } = column;
    const [field = "", inner] = path;
    if (isPassedOver(name)) continue;

    const text = cells[index] ?? "";
    const isInUnits = typesWholeUnits(column, text);
    const value = isInUnits ? unreadable : readCell(column, text);
    if (value === unreadable) {
      const kind = isInUnits ? "a whole number" : cellNames[column.cell];
      const message = `${name} must be ${kind}.`;
      const slug = cells[columns.findIndex((each) => each.name === "slug")] || null;
      return { fault: { line, field: name, message }, slug };
    }
    if (inner !== undefined) fields[field] = withInner(fields[field], inner, value);
    else if (value !== null || nullable.has(field)) fields[field] = value;
  }
  return { line, fields };
}

/** Adds an inner value to an object. It is null when all of its cells are empty. */
function withInner(before: unknown, inner: string, value: unknown): object | null {
  const known = typeof before === "object" ? before : null;
  return value === null ? known : { ...known, [inner]: value };
}

/** An empty cell sets these fields to null. Any other field is left out when its cell is empty. */
const nullable: ReadonlySet<string> = new Set(
  Object.entries(ProductPut.shape).flatMap(([name, schema]) =>
    schema.safeParse(null).success ? name : [],
  ),
);

const unreadable = Symbol("unreadable");

const cellNames: Readonly<Record<Column["cell"], string>> = {
  text: "text",
  number: "a number",
  boolean: "true or false",
  json: "JSON",
};

/** Tells whether a number is typed in whole units, such as `20.00`. Amounts are in the smallest. */
const typesWholeUnits = ({ cell }: Column, text: string): boolean =>
  cell === "number" && /^-?\d+\.0{2,}$/.test(text);

/** Reads a cell. It gives null for an empty one. */
function readCell({ cell }: Column, text: string): unknown {
  if (text === "") return null;
  switch (cell) {
    case "text":
      return unguardCell(text);
    case "number":
      return /^-?\d{1,30}(\.\d{1,30})?$/.test(text) ? Number(text) : unreadable;
    // Spreadsheets write `TRUE` and `FALSE` in capitals.
    case "boolean":
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : unreadable;
    case "json": {
      const value = parseJson(text);
      return value === undefined ? unreadable : value;
    }
  }
}
