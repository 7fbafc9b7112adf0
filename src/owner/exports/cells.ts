import { guardCell, jsonCell } from "../../domain/text/csv.ts";

/**
 * Says of which type the values of a column are. `json` is JSON text, for lists and
 * for objects.
 */
export type Cell = "text" | "number" | "boolean" | "json";

type ColumnOf<Value> = [Value] extends [number]
  ? "number"
  : [Value] extends [boolean]
    ? "boolean"
    : [Value] extends [string]
      ? "text"
      : "json" | InnerColumns<Value>;

/** An object whose fields have fixed names may have a column for each of them. */
type InnerColumns<Value> = Value extends readonly unknown[]
  ? never
  : string extends keyof Value
    ? never
    : ColumnsOf<Value>;

/**
 * The type has a column for every field of a row. The compiler refuses one too few
 * and one too many.
 */
export type ColumnsOf<Row> = { readonly [Name in keyof Row]-?: ColumnOf<NonNullable<Row[Name]>> };

export interface ColumnTree {
  readonly [name: string]: Cell | ColumnTree;
}

export interface Column {
  /** The name of the column, such as `customer.email`. */
  readonly name: string;
  /** The path to the field in a row, such as `["customer", "email"]`. */
  readonly path: readonly string[];
  readonly cell: Cell;
}

/** Lists the columns. The name of an inner field's column is its path. */
export const columnsOf = (tree: ColumnTree, before: readonly string[] = []): readonly Column[] =>
  Object.entries(tree).flatMap(([name, cell]) => {
    const path = [...before, name];
    return typeof cell === "string"
      ? [{ name: path.join("."), path, cell }]
      : columnsOf(cell, path);
  });

/** Gives the text of a cell. It is empty when the row has null. */
export function cellOf(row: object, { path, cell }: Column): string {
  const value = path.reduce<unknown>(fieldOf, row);
  if (value === undefined || value === null) return "";
  if (cell === "json") return jsonCell(value);
  return cell === "text" ? guardCell(String(value)) : String(value);
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
