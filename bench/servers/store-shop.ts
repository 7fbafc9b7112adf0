import { createStorefront, memoryStorage } from "vitrine";

/** Makes a store in memory and its key. GET /store is the cheapest request of the API. */
export async function storeShop() {
  const storefront = createStorefront({
    storage: memoryStorage(),
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
  });
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Bench", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" });
  const authorization = `Bearer ${key}`;
  const reply = await storefront.serve({
    method: "GET",
    target: "/v1/store",
    header: (name) => (name === "authorization" ? authorization : undefined),
    body: async () => new Uint8Array(),
  });
  if (reply?.status !== 200 || typeof reply.body !== "string")
    throw new Error(`GET /store answered ${reply?.status}: ${reply?.body}`);
  return {
    storefront,
    key,
    reply: { status: reply.status, headers: reply.headers, body: reply.body },
  };
}
