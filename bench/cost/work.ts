import type { Storefront } from "vitrine";
import { buyFor, type Rush, type Shop } from "../purchase.ts";

const products = 200;

/** One kind of work that is measured in slices. Each step gives how many pieces it did. */
export interface Work {
  prepare(rush: Rush): Promise<number>;
  run(rush: Rush): Promise<number>;
}

const nothing = async (): Promise<number> => 0;

const works = {
  checkout: async (storefront: Storefront, shop: Shop): Promise<Work> => ({
    prepare: nothing,
    run: async (rush) => (await buyFor(storefront, [shop], rush)).purchases,
  }),
  list: async (storefront: Storefront, shop: Shop): Promise<Work> => {
    await fillCatalog(storefront, shop);
    return reads(storefront, shop, (at) => `/v1/products?limit=20&page=${(at % 10) + 1}`);
  },
  detail: async (storefront: Storefront, shop: Shop): Promise<Work> => {
    await fillCatalog(storefront, shop);
    return reads(storefront, shop, (at) => `/v1/products/product-${at % products}`);
  },
  /** Each purchase makes several deliveries, which a transport takes at once. */
  drain: async (storefront: Storefront, shop: Shop): Promise<Work> => ({
    prepare: async (rush) => (await buyFor(storefront, [shop], rush)).purchases,
    run: async () => (await storefront.drainWebhooks({ maxDurationMs: 60_000 })).delivered,
  }),
};

export type WorkName = keyof typeof works;

export const openWork = (name: WorkName, storefront: Storefront, shop: Shop): Promise<Work> =>
  works[name](storefront, shop);

async function fillCatalog({ owner }: Storefront, { store_id }: Shop): Promise<void> {
  for (let at = 0; at < products; at += 1)
    await owner.products.create(store_id, {
      name: `Product number ${at}`,
      slug: `product-${at}`,
      price: 1_000 + at,
      currency: "BRL",
      position: at,
    });
}

/** Asks for these addresses in turn, as many at the same time as the rush says. */
function reads(storefront: Storefront, { key }: Shop, targetOf: (at: number) => string): Work {
  let asked = 0;
  const ask = async (): Promise<void> => {
    const reply = await storefront.serve({
      method: "GET",
      target: targetOf(asked++),
      ip: `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`,
      header: (name) => (name === "authorization" ? `Bearer ${key}` : undefined),
      body: async () => new Uint8Array(),
    });
    if (reply?.status !== 200) throw new Error(`A read was answered with ${reply?.status}.`);
  };

  return {
    prepare: nothing,
    async run({ atOnce, seconds }) {
      const before = asked;
      const end = performance.now() + seconds * 1_000;
      const reader = async (): Promise<void> => {
        while (performance.now() < end) await ask();
      };
      await Promise.all(Array.from({ length: atOnce }, reader));
      return asked - before;
    },
  };
}
