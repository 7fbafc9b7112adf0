import { expect, test } from "vitest";
import { databasesBySql } from "../support/databases-by-sql.ts";
import { createShop } from "../support/shop.ts";

const { open } = await databasesBySql("group_places");
const json = {
  sqlite: (field: string, value: string) => `json_set(record, '$.${field}', json('${value}'))`,
  postgres: (field: string, value: string) =>
    `jsonb_set(record::jsonb, '{${field}}', '${value}')::text`,
};

test.each(["sqlite", "postgres"] as const)(
  "a list of groups is right after maintenance where a version without groups has written, on %s",
  async (name) => {
    const { storage, run } = open[name]();
    await storage.migrate();
    const shop = await createShop(storage);
    const { owner, a } = shop;
    const category = await owner.categories.create(a.id, { name: "Shirts" });
    const shirt = { name: "Shirt", currency: "BRL", category_ids: [category.id] };
    const options = (value: string) => [{ name: "Size", value }];
    await owner.products.putMany(
      a.id,
      ["s", "m", "l"].flatMap((size, at) =>
        ["one", "two"].map((group) => ({
          ...shirt,
          ...{ id: `prod_${group}_${size}`, slug: `${group}-${size}`, group },
          ...{ price: 100 * (at + 1), options: options(size) },
        })),
      ),
    );

    const listed = async (): Promise<readonly string[]> => {
      const path = `/products?group=first&category=${category.slug}`;
      const { body } = await shop.get(path, { key: a.live.pub });
      return body.data.map(({ id }: { readonly id: string }) => id).sort();
    };
    const waiting = async (): Promise<number> =>
      (await storage.gauges.read(Date.now())).rows_to_backfill;
    expect([await listed(), await waiting()]).toEqual([["prod_one_s", "prod_two_s"], 0]);

    // The first variant of one group becomes a draft, and the last of the other is only written.
    const write = async (id: string, field: string, value: string): Promise<void> => {
      const changed = json[name](field, value);
      await run(`update products set record = ${changed} where id = '${id}'`);
      const time = json[name]("updated_at", String(shop.now() + 1));
      await run(`update products set record = ${time} where id = '${id}'`);
      await run(`update product_categories set group_hidden = null where product_id = '${id}'`);
      await run("update stores set catalog_version = catalog_version + 1");
    };
    await write("prod_one_s", "active", "false");
    await run("update products set active = 0 where id = 'prod_one_s'");
    await write("prod_two_l", "name", '"Shirt, large"');
    // Each waits twice: for its place in its group, and for what facets count of it. One write
    // does both.
    expect([await listed(), await waiting()]).toEqual([["prod_two_s"], 4]);

    const [{ products_indexed }, other] = await Promise.all([
      shop.storefront.runMaintenance(),
      shop.storefront.runMaintenance(),
    ]);
    expect(products_indexed + other.products_indexed).toBe(2);
    expect([await listed(), await waiting()]).toEqual([["prod_one_m", "prod_two_s"], 0]);
    expect((await shop.storefront.runMaintenance()).products_indexed).toBe(0);

    // A product that was replaced is in no group any more.
    await run(
      `update products set record = ${name === "sqlite" ? "json_remove(record, '$.group')" : "(record::jsonb - 'group')::text"} where id = 'prod_one_m'`,
    );
    await write("prod_one_m", "name", '"Alone"');
    await shop.storefront.runMaintenance();
    expect(await listed()).toEqual(["prod_one_l", "prod_one_m", "prod_two_s"]);
    await shop.storefront.close();
  },
);
