import { sql } from "kysely";
import type { SqlEngine } from "../../engine/engine.ts";
import type { ProductKey } from "../../schema/dialect.ts";

/** Selects from the products with these ids, or values of another key, each product once. */
export function storedProducts(
  { db, dialect }: SqlEngine,
  store_id: string,
  values: readonly string[],
  key: ProductKey = "id",
) {
  const given = dialect.jsonValues(sql<string>`${JSON.stringify([...new Set(values)])}`);
  const { rows, on } = dialect.lookUp(sql`${store_id}`, sql.ref("value"), key);
  const found = sql`(select p.* from ${given} cross join ${rows} as p where ${on})`;
  return db.selectFrom(found.as("products") as unknown as "products");
}
