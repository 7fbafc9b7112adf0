import { expect, test } from "vitest";
import type { Storefront } from "vitrine";
import { type Client, createClient } from "vitrine/client";
import { importFromDocs } from "../support/docs-module.ts";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const guide = "docs/variants.md";

interface Guide {
  sellShirts(storefront: Storefront, store_id: string): Promise<void>;
  cards(client: Client): Promise<string[]>;
  variantOf(
    client: Client,
    slug: string,
    chosen: Readonly<Record<string, string>>,
  ): Promise<{ id: string; price: number; available: boolean } | undefined>;
}

test.each(storages)(
  "the guide's shirts are one card, and the chosen one is bought, on %s",
  async (_name, open) => {
    const { sellShirts } = await importFromDocs<Guide>(guide, "sellShirts");
    const { cards } = await importFromDocs<Guide>(guide, "cards");
    const { variantOf } = await importFromDocs<Guide>(guide, "variantOf");
    const shop = await createShop(await open(), { limits: { checkout: null } });
    const { storefront, a } = shop;
    const client = createClient({
      baseUrl: "http://shop.example/v1",
      key: a.test.pub,
      fetch: (address, init) => storefront.handler(new Request(address, init)),
    });

    await sellShirts(storefront, a.id);
    expect(await cards(client)).toContain("Linen shirt, from 14900");

    const shown = (await client.listProducts({ group: "first", search: "shirt" })).data;
    expect(shown).toHaveLength(1);
    const slug = shown[0]?.slug ?? "";
    const white = await variantOf(client, slug, { Size: "M", Colour: "White" });
    expect(white).toMatchObject({ price: 14900, available: true });
    expect(await variantOf(client, slug, { Size: "M", Colour: "Blue" })).toMatchObject({
      price: 15900,
      available: false,
    });
    expect(await variantOf(client, slug, { Size: "S", Colour: "Blue" })).toBeUndefined();

    const order = await shop.buy({ items: [{ product_id: white?.id ?? "", quantity: 1 }] });
    expect(order.items[0]).toMatchObject({
      name: "Linen shirt",
      options: [
        { name: "Size", value: "M" },
        { name: "Colour", value: "White" },
      ],
    });
  },
);
