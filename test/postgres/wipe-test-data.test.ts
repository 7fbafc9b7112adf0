import { expect, test } from "vitest";
import { createShop } from "../support/shop.ts";
import { openPostgresOn } from "../support/storages.ts";

const bought = 12;

test("the test data is wiped while a live sale holds the stock of the same counted product", async () => {
  const { storage, pool, schema } = await openPostgresOn({ max: 4 });
  const shop = await createShop(storage, { limits: { checkout: null } });
  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 100 });
  for (let count = 0; count < 3; count += 1) await shop.buy();

  const sale = await pool.connect();
  await sale.query(`begin; select 1 from ${schema}.stock where livemode = 1 for update`);
  await shop.owner.wipeTestData(shop.a.id);
  await sale.query("rollback");
  sale.release();

  const { rows } = await pool.query(
    `select livemode, stock, held from ${schema}.stock where product_id = $1 order by livemode`,
    [shop.product.id],
  );
  expect(rows).toEqual([
    { livemode: 0, stock: "100", held: "0" },
    { livemode: 1, stock: "100", held: "0" },
  ]);
});

test("live sales of counted goods go on while more test data is wiped than one chunk holds", async () => {
  const { storage, pool, schema } = await openPostgresOn({ max: 6 });
  const shop = await createShop(storage, { limits: { checkout: null } });
  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: bought });
  await shop.buy();
  // Rows of an order's notifications stand for many orders: three chunks of them.
  await pool.query(
    `insert into ${schema}.gateway_notifications
      select $1, 0, 'sandbox', 'n' || n, 0 from generate_series(1, 1200) as n`,
    [shop.a.id],
  );

  let isOver = false;
  const wiping = shop.owner.wipeTestData(shop.a.id).finally(() => {
    isOver = true;
  });
  const sold: string[] = [];
  while (sold.length < bought && !(isOver && sold.length > 2))
    sold.push((await shop.session({}, { key: shop.a.live.pub })).body.data.status);
  await wiping;

  expect(new Set(sold)).toEqual(new Set(["open"]));
  const left = await pool.query(
    `select count(*) from ${schema}.gateway_notifications where livemode = 0`,
  );
  expect(left.rows[0].count).toBe("0");
});
