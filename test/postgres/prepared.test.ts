import pg from "pg";
import { expect, inject, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { createShop } from "../support/shop.ts";

test("two instances with prepared statements share one connection of one pool", async () => {
  const pool = new pg.Pool({ connectionString: inject("postgresUrl"), max: 1 });
  const schemas = ["first", "second"].map((name) => `${name}_${process.pid}`);
  for (const schema of schemas) {
    const storage = postgresStorage(pool, { schema, preparedStatements: true });
    await storage.migrate();
    const shop = await createShop(storage);
    expect((await shop.session()).status).toBe(201);
    expect((await shop.get("/products", { key: shop.a.test.pub })).status).toBe(200);
  }
  for (const schema of schemas) await pool.query(`drop schema ${schema} cascade`);
  await pool.end();
});
