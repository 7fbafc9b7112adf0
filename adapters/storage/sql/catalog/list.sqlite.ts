import { type ListQuery, listedProducts, sortingOf } from "./list.ts";
import { documentTextRow } from "./owner/document-rows.ts";

/** SQLite plans a statement without looking at its limit and offset. */
export const sqliteListQuery: ListQuery = (engine, shape, param) =>
  listedProducts(engine, shape, param)
    .select(documentTextRow(shape, param, "p", sortingOf(engine, shape).place))
    .limit(param<number>("limit"))
    .offset(param<number>("offset"));
