// A competent developer writes this server with Fastify, zod and Kysely.
import { createHash, randomUUID } from "node:crypto";
import Fastify from "fastify";
import { type Dialect, Kysely, PostgresDialect, SqliteDialect, sql } from "kysely";
import { z } from "zod";
import { announce, product, productCount, type Ready, settings } from "./shared.ts";

interface Tables {
  keys: { hash: string; store: string; version: number };
  products: {
    id: string;
    slug: string;
    position: number;
    name: string;
    description: string;
    price: number;
    currency: string;
  };
  sessions: { id: string; record: string };
  replies: { store: string; key: string; fingerprint: string; body: string };
}
const { kind, where, filled } = settings<{
  kind: "sqlite" | "postgres";
  where: string;
  filled?: Ready;
}>();

async function dialect(): Promise<Dialect> {
  if (kind === "postgres") {
    const { default: pg } = await import("pg");
    return new PostgresDialect({ pool: new pg.Pool({ connectionString: where, max: 10 }) });
  }
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(where);
  database.pragma("journal_mode = wal");
  database.pragma("synchronous = full");
  return new SqliteDialect({ database });
}
const db = new Kysely<Tables>({ dialect: await dialect() });
const statements = [
  "create table keys (hash text primary key, store text, version integer)",
  "create table products (id text primary key, slug text unique, position integer, " +
    "name text, description text, price integer, currency text)",
  "create index in_order on products (position, id)",
  "create table sessions (id text primary key, record text)",
  "create table replies " +
    "(store text, key text, fingerprint text, body text, primary key (store, key))",
];
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
const key = `hk_test_sec_${"x".repeat(49)}`;
const rows = Array.from({ length: productCount }, (_, index) => ({
  id: `prod_${String(index).padStart(26, "0")}`,
  ...product(index),
}));
async function fill(): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  await db
    .insertInto("keys")
    .values({ hash: sha(key), store: "str_1", version: 1 })
    .execute();
  for (let at = 0; at < rows.length; at += 500)
    await db
      .insertInto("products")
      .values(rows.slice(at, at + 500))
      .execute();
}
if (!filled) await fill();

const Product = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.int(),
  currency: z.string(),
});
const Query = z.object({
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
const Body = z.object({
  items: z
    .array(z.object({ product_id: z.string(), quantity: z.int().min(1).max(999) }))
    .min(1)
    .max(100),
  success_url: z.url(),
  cancel_url: z.url(),
});
const app = Fastify();
const access = (header: string | undefined) =>
  db
    .selectFrom("keys")
    .selectAll()
    .where("hash", "=", sha((header ?? "").slice(7)))
    .executeTakeFirst();

app.get("/v1/products", async (request, reply) => {
  const found = await access(request.headers.authorization);
  if (!found) return reply.code(401).send({ error: { code: "invalid_api_key" } });
  const { page, limit } = Query.parse(request.query);
  const list = await db
    .selectFrom("products")
    .selectAll()
    .orderBy("position")
    .orderBy("id")
    .limit(limit + 1)
    .offset((page - 1) * limit)
    .execute();
  const data = z.array(Product).parse(list.slice(0, limit));
  const body = JSON.stringify({
    data,
    has_more: list.length > limit,
    next_cursor: data.at(-1)?.id ?? null,
    livemode: false,
    request_id: randomUUID(),
  });
  return reply
    .header("etag", `W/"${sha(JSON.stringify(data))}"`)
    .type("application/json")
    .send(body);
});
app.get("/v1/products/:slug", async (request, reply) => {
  const found = await access(request.headers.authorization);
  if (!found) return reply.code(401).send({ error: { code: "invalid_api_key" } });
  const { slug } = request.params as { slug: string };
  const row = await db
    .selectFrom("products")
    .selectAll()
    .where("slug", "=", slug)
    .executeTakeFirst();
  if (!row) return reply.code(404).send({ error: { code: "resource_not_found" } });
  const data = Product.parse(row);
  return reply
    .header("etag", `W/"${sha(JSON.stringify(data))}"`)
    .send({ data, livemode: false, request_id: randomUUID() });
});
app.post("/v1/checkout/sessions", async (request, reply) => {
  const found = await access(request.headers.authorization);
  if (!found) return reply.code(401).send({ error: { code: "invalid_api_key" } });
  const body = Body.parse(request.body);
  const idempotency = String(request.headers["idempotency-key"]);
  const known = await db
    .selectFrom("replies")
    .select("body")
    .where("store", "=", found.store)
    .where("key", "=", idempotency)
    .executeTakeFirst();
  if (known) return reply.code(201).type("application/json").send(known.body);
  const ids = body.items.map((item) => item.product_id);
  const products = await db.selectFrom("products").selectAll().where("id", "in", ids).execute();
  const total = body.items.reduce(
    (sum, item) =>
      sum + (products.find(({ id }) => id === item.product_id)?.price ?? 0) * item.quantity,
    0,
  );
  const id = `cs_${randomUUID()}`;
  const made = JSON.stringify({
    data: { id, amount_total: total, line_items: body.items },
    livemode: false,
    request_id: randomUUID(),
  });
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto("sessions").values({ id, record: made }).execute();
    await transaction
      .insertInto("replies")
      .values({
        store: found.store,
        key: idempotency,
        fingerprint: sha(JSON.stringify(body)),
        body: made,
      })
      .execute();
  });
  return reply.code(201).type("application/json").send(made);
});
await app.ready();
await announce(app.server, {
  key,
  slugs: rows.map(({ slug }) => slug),
  product_ids: rows.map(({ id }) => id),
});
