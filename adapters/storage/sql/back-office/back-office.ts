import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import { placeProducts } from "../catalog/owner/misplaced-products.ts";
import { fillProductFacets } from "../catalog/owner/product-facets.ts";
import { fillProductWords } from "../catalog/owner/product-words.ts";
import { fillProductPlaces } from "../catalog/product-places.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { listNotes } from "../orders/notes.ts";
import { listCustomers } from "./customers.ts";
import { findHistory } from "./history.ts";
import { indexOrders } from "./index-orders.ts";
import { searchOrders } from "./search-orders.ts";

/** Answers the owner's questions. It is loaded at the first call. */
export const sqlBackOffice = (engine: SqlEngine): BackOfficeStore => ({
  searchOrders: (search) => engine.read(() => searchOrders(engine, search)),
  findHistory: (partition, order_id) => engine.read(() => findHistory(engine, partition, order_id)),
  listNotes: (partition, order_id, page) =>
    engine.read(() => listNotes(engine, { ...partition, order_id, ...page })),
  listCustomers: (partition, page) => engine.read(() => listCustomers(engine, partition, page)),
  indexOrders: (limit) => engine.write(() => indexOrders(engine, limit)),
  indexProducts: async (limit) =>
    (await engine.write(() => fillProductPlaces(engine, limit))) +
    (await engine.write(() => fillProductWords(engine, limit))) +
    (await engine.write(() => placeProducts(engine, limit))) +
    (await engine.write(() => fillProductFacets(engine, limit))),
});
