import pg from "pg";
import {
  type Access,
  key,
  type LimitStore,
  type ProductRow,
  productRows,
  sha,
  tables,
} from "./limit-store.ts";

/** Prepares named statements on ten connections. Each call is one round trip, also the write. */
export async function postgresLimit(url: string, empty: boolean): Promise<LimitStore> {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  if (empty) {
    await pool.query(tables);
    await pool.query("insert into keys values ($1, 'str_1', 1)", [sha(key)]);
    await pool.query(
      "insert into products select * from json_populate_recordset(null::products, $1)",
      [JSON.stringify(productRows)],
    );
  }
  const prepared =
    <Row extends object>(name: string, text: string) =>
    async (...values: readonly unknown[]): Promise<Row[]> =>
      (await pool.query<Row>({ name, text, values: [...values] })).rows;
  const findKey = prepared<Access>("key", "select store, version from keys where hash = $1");
  const page = prepared<ProductRow>(
    "page",
    "select * from products order by position, id limit $1 offset $2",
  );
  const bySlug = prepared<ProductRow>("slug", "select * from products where slug = $1");
  const byIds = prepared<ProductRow>("ids", "select * from products where id = any($1)");
  const findReply = prepared<{ body: string }>(
    "reply",
    "select body from replies where store = $1 and key = $2",
  );
  const create = prepared(
    "create",
    `with session as (insert into sessions (id, record) values ($4, $5))
     insert into replies (store, key, fingerprint, body) values ($1, $2, $3, $5)`,
  );
  return {
    findKey: async (hash) => (await findKey(hash))[0],
    page,
    bySlug: async (slug) => (await bySlug(slug))[0],
    byIds: (ids) => byIds(ids),
    findReply: async (store, idempotency) => (await findReply(store, idempotency))[0],
    create,
  };
}
