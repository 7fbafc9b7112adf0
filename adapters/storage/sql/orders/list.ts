import { sql } from "kysely";
import { isTokenRevoked } from "#core/rules/checkout/buyer.ts";
import type { OrderRecord } from "#core/rules/records.ts";
import type {
  CustomerOrderQuery,
  OrderList,
  OrderQuery,
  OrderStore,
} from "#core/storage/order-store.ts";
import { fromJson, ofPartition } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, type QueryGenerator } from "../engine/queries.ts";

type Lists = Pick<OrderStore, "listOrders" | "listCustomerOrders">;

export function sqlOrderLists(engine: SqlEngine): Lists {
  return {
    listOrders: (query) =>
      engine.read(function* (): QueryGenerator<OrderList> {
        const rows = yield* many(listQuery(engine, query, null));
        return readList(query, rows);
      }),

    listCustomerOrders: (query) =>
      engine.read(function* (): QueryGenerator<OrderList | { outcome: "token_revoked" }> {
        const rows = yield* many(listQuery(engine, query, query));
        const times = rows.flatMap(({ kind, number }) => (kind === "not_before" ? [number] : []));
        const notBefore = times.length === 0 ? null : Math.max(...times);
        if (isTokenRevoked(query.token_issued_at, notBefore)) return { outcome: "token_revoked" };
        return readList(query, rows);
      }),
  };
}

interface ListRow {
  readonly kind: "order" | "cursor" | "not_before";
  /** The number of an order or cursor, and epoch milliseconds for a not-before. */
  readonly number: number;
  /** Null except for an order. */
  readonly record: string | null;
}

type Buyer = Pick<CustomerOrderQuery, "customer_id" | "customer_keys">;

/**
 * Reads the page of orders, the cursor's row and the buyer's not-before, in one
 * statement: a token that is revoked between two reads could still read the list.
 */
function listQuery({ db }: SqlEngine, query: OrderQuery, buyer: Buyer | null) {
  const noRecord = sql<string | null>`cast(null as text)`.as("record");
  const ofStore = db.selectFrom("orders").where(ofPartition(query));
  const visible = buyer ? ofStore.where("customer_id", "=", buyer.customer_id) : ofStore;
  const cursor = query.after === undefined ? null : visible.where("id", "=", query.after);

  let page = visible
    .select(["number", "record"])
    .orderBy("number", "desc")
    .limit(query.limit + 1);
  if (query.status !== undefined) page = page.where("status", "=", query.status);
  if (query.session_id !== undefined) page = page.where("session_id", "=", query.session_id);
  if (cursor) page = page.where("number", "<", cursor.select("number"));

  let rows = db.selectFrom(page.as("page")).select([
    sql.lit<ListRow["kind"]>("order").as("kind"),
    "number",
    // The rows without a record give this column its wider type.
    sql<string | null>`record`.as("record"),
  ]);
  if (cursor) {
    const kind = sql.lit<ListRow["kind"]>("cursor").as("kind");
    rows = rows.unionAll(cursor.select([kind, "number", noRecord]));
  }
  if (buyer) {
    const kind = sql.lit<ListRow["kind"]>("not_before").as("kind");
    rows = rows.unionAll(
      db
        .selectFrom("customer_tokens")
        .select([kind, "not_before as number", noRecord])
        .where(ofPartition(query))
        .where("customer_id", "in", buyer.customer_keys),
    );
  }
  return rows;
}

function readList({ after }: OrderQuery, rows: readonly ListRow[]): OrderList {
  const isKnown = after === undefined || rows.some(({ kind }) => kind === "cursor");
  if (!isKnown) return { outcome: "unknown_cursor" };

  const orders = rows.flatMap(({ kind, record }) =>
    kind === "order" && record !== null ? [fromJson<OrderRecord>(record)] : [],
  );
  // SQL does not promise that a union keeps the order of its parts.
  return { outcome: "listed", orders: orders.sort((a, b) => b.number - a.number) };
}
