import { documentTextRow } from "./document-rows.ts";
import { type ListQuery, listedProducts } from "./list.ts";

/** SQLite plans a statement without looking at its limit and offset. */
export const sqliteListQuery: ListQuery = (engine, shape, param) =>
  listedProducts(engine, shape, param)
    .select(documentTextRow(shape, param))
    .limit(param<number>("limit"))
    .offset(param<number>("offset"));
