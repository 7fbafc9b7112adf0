import { guardCell } from "../../domain/csv.ts";

/** What a column holds. `json` is JSON text, for lists and for what has fields of its own. */
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

/** A column for every field of a row: the compiler refuses one too few and one too many. */
export type ColumnsOf<Row> = { readonly [Name in keyof Row]-?: ColumnOf<NonNullable<Row[Name]>> };

interface ColumnTree {
  readonly [name: string]: Cell | ColumnTree;
}

export interface Column {
  /** `customer.email` */
  readonly name: string;
  /** `["customer", "email"]` */
  readonly path: readonly string[];
  readonly cell: Cell;
}

/** Lists the columns, those of inner fields named by their path. */
export const columnsOf = (tree: ColumnTree, before: readonly string[] = []): readonly Column[] =>
  Object.entries(tree).flatMap(([name, cell]) => {
    const path = [...before, name];
    return typeof cell === "string"
      ? [{ name: path.join("."), path, cell }]
      : columnsOf(cell, path);
  });

/** The text of a cell; empty where the row has null. */
export function cellOf(row: object, { path, cell }: Column): string {
  const value = path.reduce<unknown>(fieldOf, row);
  if (value === undefined || value === null) return "";
  if (cell === "json") return JSON.stringify(value);
  return cell === "text" ? guardCell(String(value)) : String(value);
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
