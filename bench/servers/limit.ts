// What hand-written code can reach at most: bare node:http and prepared statements doing the same checks, on SQLite. `limit.ts <file>`.
import { createHash, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import Database from "better-sqlite3";
import { announce, product, productCount } from "./shared.ts";

const db = new Database(process.argv[2] ?? ":memory:");
db.pragma("journal_mode = wal");
db.pragma("synchronous = full");
db.exec(`
  create table keys (hash text primary key, store text, version integer);
  create table products (id text primary key, slug text unique, position integer, name text, description text, price integer, currency text, created text);
  create index in_order on products (position, id);
  create table sessions (id text primary key, record text);
  create table replies (store text, key text, fingerprint text, body text, primary key (store, key));`);
const key = `hk_test_sec_${"x".repeat(49)}`;
const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
db.prepare("insert into keys values (?, 'str_1', 1)").run(sha(key));
const add = db.prepare("insert into products values (?, ?, ?, ?, ?, ?, ?, '2026-01-01T00:00:00.000Z')");
const ids = Array.from({ length: productCount }, (_, index) => `prod_${String(index).padStart(26, "0")}`);
db.transaction(() => {
  for (const [index, id] of ids.entries()) {
    const { slug, position, name, description, price, currency } = product(index);
    add.run(id, slug, position, name, description, price, currency);
  }
})();

const findKey = db.prepare<[string], { store: string; version: number }>("select store, version from keys where hash = ?");
const page = db.prepare<[number, number], Row>("select * from products order by position, id limit ? offset ?");
const bySlug = db.prepare<[string], Row>("select * from products where slug = ?");
const byId = db.prepare<[string], Row>("select * from products where id = ?");
const findReply = db.prepare<[string, string], { body: string }>("select body from replies where store = ? and key = ?");
const putReply = db.prepare("insert into replies values (?, ?, ?, ?)");
const putSession = db.prepare("insert into sessions values (?, ?)");
interface Row {
  id: string;
  slug: string;
  name: string;
  description: string;
  price: number;
  currency: string;
  created: string;
}
const show = ({ id, slug, name, description, price, currency, created }: Row) => ({
  id,
  slug,
  name,
  description,
  images: [],
  price,
  compare_at_price: null,
  currency,
  available: true,
  promotion: null,
  category_ids: [],
  variables: [],
  recurring: null,
  max_quantity: null,
  created_at: created,
  updated_at: created,
});
const create = db.transaction((store: string, idempotency: string, fingerprint: string, id: string, body: string) => {
  putSession.run(id, body);
  putReply.run(store, idempotency, fingerprint, body);
});

async function read(req: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of req) text += part;
  return text;
}

const server = createServer(async (req, res) => {
  const access = findKey.get(sha((req.headers.authorization ?? "").slice(7)));
  const request_id = `req_${randomUUID()}`;
  if (!access) return void res.writeHead(401).end();
  const [path = "", query = ""] = (req.url ?? "").split("?");
  const headers: Record<string, string> = { "content-type": "application/json; charset=utf-8", "x-request-id": request_id };
  if (req.method === "POST") {
    const text = await read(req);
    const body = JSON.parse(text);
    const idempotency = String(req.headers["idempotency-key"]);
    const known = findReply.get(access.store, idempotency);
    if (known) return void res.writeHead(201, headers).end(known.body);
    let total = 0;
    for (const line of body.items) total += (byId.get(line.product_id)?.price ?? 0) * line.quantity;
    const id = `cs_${randomUUID()}`;
    const made = JSON.stringify({ data: { id, amount_total: total, line_items: body.items }, livemode: false, request_id });
    create(access.store, idempotency, sha(text), id, made);
    return void res.writeHead(201, headers).end(made);
  }
  const etag = `W/"${sha(`${access.store}${access.version}${req.url}`).slice(0, 27)}"`;
  if (req.headers["if-none-match"] === etag) return void res.writeHead(304, { etag }).end();
  headers["etag"] = etag;
  const one = /^\/v1\/products\/([^/]+)$/.exec(path)?.[1];
  if (one) {
    const row = bySlug.get(one);
    return void res.writeHead(row ? 200 : 404, headers).end(JSON.stringify({ data: row && show(row), livemode: false, request_id }));
  }
  const asked = new URLSearchParams(query);
  const limit = Number(asked.get("limit") ?? 20);
  const rows = page.all(limit + 1, (Number(asked.get("page") ?? 1) - 1) * limit);
  const data = rows.slice(0, limit).map(show);
  res
    .writeHead(200, headers)
    .end(JSON.stringify({ data, has_more: rows.length > limit, next_cursor: data.at(-1)?.id ?? null, livemode: false, request_id }));
});
await announce(server, { key, slugs: ids.map((_, index) => product(index).slug), product_ids: ids });
