// This is the most that hand-written code can reach: bare node:http that does the same checks over
// prepared statements.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  type Access,
  key,
  type LimitStore,
  type ProductRow,
  productRows,
  sha,
} from "./limit-store.ts";
import { announce, type Ready, settings } from "./shared.ts";

const { kind, where, filled } = settings<{
  kind: "memory" | "sqlite" | "postgres";
  where: string;
  filled?: Ready;
}>();
const store = await openStore();

/** Each side loads only the driver that it uses, because its memory is measured too. */
async function openStore(): Promise<LimitStore> {
  if (kind === "memory") return (await import("./limit-memory.ts")).memoryLimit();
  if (kind === "sqlite") return (await import("./limit-sqlite.ts")).sqliteLimit(where, !filled);
  return (await import("./limit-postgres.ts")).postgresLimit(where, !filled);
}

const show = ({ id, slug, name, description, price, currency, created }: ProductRow) => ({
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

function answer(
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string,
): void {
  headers["content-length"] = String(Buffer.byteLength(body)); // Without it Node sends chunks.
  res.writeHead(status, headers).end(body);
}

async function read(req: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part);
  return Buffer.concat(parts).toString();
}

async function checkout(
  req: IncomingMessage,
  res: ServerResponse,
  access: Access,
  headers: Record<string, string>,
): Promise<void> {
  const text = await read(req);
  const body = JSON.parse(text) as { items: { product_id: string; quantity: number }[] };
  const idempotency = String(req.headers["idempotency-key"]);
  const known = await store.findReply(access.store, idempotency);
  if (known) return answer(res, 201, headers, known.body);
  const prices = new Map(
    (await store.byIds(body.items.map((line) => line.product_id))).map(({ id, price }) => [
      id,
      price,
    ]),
  );
  const total = body.items.reduce(
    (sum, line) => sum + (prices.get(line.product_id) ?? 0) * line.quantity,
    0,
  );
  const id = `cs_${randomUUID()}`;
  const data = { id, amount_total: total, line_items: body.items };
  const made = JSON.stringify({ data, livemode: false, request_id: headers["x-request-id"] });
  await store.create(access.store, idempotency, sha(text), id, made);
  answer(res, 201, headers, made);
}

async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const access = await store.findKey(sha((req.headers.authorization ?? "").slice(7)));
  const request_id = `req_${randomUUID()}`;
  if (!access) return void res.writeHead(401).end();
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "x-request-id": request_id,
  };
  if (req.method === "POST") return checkout(req, res, access, headers);
  const [path = "", query = ""] = (req.url ?? "").split("?");
  const etag = `W/"${sha(`${access.store}${access.version}${req.url}`).slice(0, 27)}"`;
  if (req.headers["if-none-match"] === etag) return void res.writeHead(304, { etag }).end();
  headers["etag"] = etag;
  const slug = /^\/v1\/products\/([^/]+)$/.exec(path)?.[1];
  if (slug) {
    const row = await store.bySlug(slug);
    return answer(
      res,
      row ? 200 : 404,
      headers,
      JSON.stringify({ data: row && show(row), livemode: false, request_id }),
    );
  }
  const asked = new URLSearchParams(query);
  const limit = Number(asked.get("limit") ?? 20);
  const rows = await store.page(limit + 1, (Number(asked.get("page") ?? 1) - 1) * limit);
  const data = rows.slice(0, limit).map(show);
  const list = {
    data,
    has_more: rows.length > limit,
    next_cursor: data.at(-1)?.id ?? null,
    livemode: false,
    request_id,
  };
  answer(res, 200, headers, JSON.stringify(list));
}

const server = createServer((req, res) => {
  serve(req, res).catch((error: unknown) => res.writeHead(500).end(String(error)));
});
await announce(server, {
  key,
  slugs: productRows.map(({ slug }) => slug),
  product_ids: productRows.map(({ id }) => id),
});
