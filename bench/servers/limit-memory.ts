import { type Access, key, type LimitStore, productRows, sha } from "./limit-store.ts";

/** Keeps everything in Maps, and the products in their order. */
export function memoryLimit(): LimitStore {
  const keys = new Map<string, Access>([[sha(key), { store: "str_1", version: 1 }]]);
  const slugs = new Map(productRows.map((row) => [row.slug, row]));
  const ids = new Map(productRows.map((row) => [row.id, row]));
  const sessions = new Map<string, string>();
  const replies = new Map<string, { readonly fingerprint: string; readonly body: string }>();
  return {
    findKey: (hash) => keys.get(hash),
    page: (limit, offset) => productRows.slice(offset, offset + limit),
    bySlug: (slug) => slugs.get(slug),
    byIds: (wanted) => wanted.flatMap((id) => ids.get(id) ?? []),
    findReply: (store, idempotency) => replies.get(`${store} ${idempotency}`),
    create(store, idempotency, fingerprint, id, body) {
      sessions.set(id, body);
      replies.set(`${store} ${idempotency}`, { fingerprint, body });
    },
  };
}
