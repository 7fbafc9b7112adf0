import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEveryTest } from "./after-test.ts";

/** A document of the index, as the recipe of docs/search.md writes it. */
interface IndexedProduct {
  readonly id: string;
  readonly store_id: string;
  readonly filled_at: number;
  readonly name: string;
  readonly price: number;
  readonly available: boolean;
  readonly category_ids: readonly string[];
  readonly group?: string;
}

interface SearchBody {
  readonly q: string;
  readonly filter: readonly string[];
  readonly sort?: readonly string[];
  readonly distinct?: "group";
  readonly facets?: readonly string[];
  readonly offset: number;
  readonly limit: number;
}

const stops: (() => Promise<void>)[] = [];
afterEveryTest(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/**
 * Starts a small server that speaks the part of Meilisearch's API which the recipe uses: settings,
 * documents that are put and deleted, and searches. It finds products by the beginning of any word of
 * the name, the last ones first, so that its order is not that of the built-in search.
 */
export async function startEngine() {
  const indexes = new Map<string, Map<string, IndexedProduct>>();
  const asked: SearchBody[] = [];
  const state: { fault: "error" | "silence" | "nonsense" | null } = { fault: null };

  const answerTo = (
    name: string,
    { action, body }: { readonly action: string; readonly body: unknown },
  ): object => {
    const documents = indexes.get(name) ?? new Map<string, IndexedProduct>();
    indexes.set(name, documents);
    if (action === "PUT documents")
      for (const product of body as readonly IndexedProduct[]) documents.set(product.id, product);
    if (action === "POST documents/delete")
      for (const product of [...documents.values()])
        if (isKept(product, (body as { filter: string }).filter)) documents.delete(product.id);
    if (action !== "POST search") return { taskUid: 1 };

    asked.push(body as SearchBody);
    return state.fault === "nonsense"
      ? { hits: [{ id: 7 }] }
      : find([...documents.values()].reverse(), body as SearchBody);
  };

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const [, name = "", path = ""] = /^\/indexes\/(\w+)\/(.*)$/.exec(request.url ?? "") ?? [];
    const isSearch = path === "search";
    if (isSearch && state.fault === "silence") return;

    const isRefused = request.headers.authorization !== "Bearer master-key";
    response.statusCode = isRefused || (isSearch && state.fault === "error") ? 500 : 200;
    const action = `${request.method} ${path}`;
    response.end(JSON.stringify(answerTo(name, { action, body })));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const { port } = server.address() as AddressInfo;
  const namesIn = (name: string) => [...(indexes.get(name)?.values() ?? [])].map((one) => one.name);
  return { url: `http://127.0.0.1:${port}`, namesIn, asked, state };
}

function isKept(product: IndexedProduct, filter: string): boolean {
  return filter.split(" AND ").every((part) => {
    const [, field, sign, value = ""] = /^(\w+) ([=<]) "?(.*?)"?$/.exec(part) ?? [];
    const has = product[field as keyof IndexedProduct];
    if (sign === "<") return Number(has) < Number(value);
    return Array.isArray(has) ? has.includes(value) : has === value;
  });
}

function find(documents: readonly IndexedProduct[], body: SearchBody) {
  const { q, filter, sort = [], distinct, facets, offset, limit } = body;
  const groups = new Set<string>();
  const hits = documents
    .filter((product) => filter.every((part) => isKept(product, part)))
    .filter(({ name }) => ` ${name}`.toLowerCase().includes(` ${q.toLowerCase()}`))
    .filter(({ group }) => {
      const isFirst = distinct === undefined || group === undefined || !groups.has(group);
      if (group !== undefined) groups.add(group);
      return isFirst;
    });
  if (sort[0] === "price:asc") hits.sort((one, other) => one.price - other.price);

  const prices = hits.map(({ price }) => price);
  const counted = {
    facetDistribution: {
      category_ids: countOf(hits.flatMap(({ category_ids }) => category_ids)),
      available: countOf(hits.map(({ available }) => String(available))),
    },
    facetStats: { price: { min: Math.min(...prices), max: Math.max(...prices) } },
  };
  return { hits: hits.slice(offset, offset + limit), ...(facets && counted) };
}

function countOf(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString() || "null");
}
