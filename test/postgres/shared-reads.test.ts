import pg from "pg";
import { expect, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop } from "../support/shop.ts";

const databaseUrl = await postgresUrl();

test("equal reads that wait for a connection share one statement, and each sees what was written before it was asked", async () => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const schema = `shared_${process.pid}`;
  const sent: string[] = [];
  let onSent = (_text: string): void => {};
  pool.on("connect", (client) => {
    const { query } = client;
    client.query = ((...given: Parameters<typeof query>) => {
      const { text = "" } = given[0] as unknown as { text?: string };
      sent.push(text);
      onSent(text);
      return query.apply(client, given);
    }) as typeof query;
  });
  const storage = postgresStorage(pool, { schema });
  await storage.migrate();
  const { a, owner, product, ...shop } = await createShop(storage, {
    now: Date.now,
    answerCacheBytes: 0,
  });
  const ask = () => shop.get(`/products/${product.slug}`, { key: a.test.pub });
  expect((await ask()).status).toBe(200);

  sent.length = 0;
  const answers = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(answers.map(({ body }) => body.data.name))).toEqual(new Set([product.name]));
  expect(sent).toHaveLength(2); // the key and the product

  const underWay = new Promise<void>((begun) => {
    onSent = (text) => {
      if (text.includes("key_hash")) begun();
    };
  });
  const early = ask();
  await underWay;
  await owner.products.update(a.id, product.id, { name: "Renamed" });
  expect((await ask()).body.data.name).toBe("Renamed");
  await early;
  await pool.query(`drop schema "${schema}" cascade`);
  await pool.end();
});
