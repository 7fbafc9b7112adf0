import type { Product } from "../../../contract/schemas.ts";
import type { ProductRecord } from "../../../rules/records.ts";
import { putProducts } from "../../../steps/product-steps.ts";
import type { ProductQuery } from "../../../storage/types.ts";
import type { CaseContext } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { partition } from "../fixtures/record-fixtures.ts";

/** The options of a variant. */
export const sized = (size: string, colour?: string): Pick<ProductRecord, "options"> => ({
  options: [
    { name: "Size", value: size },
    ...(colour === undefined ? [] : [{ name: "Colour", value: colour }]),
  ],
});

/** Reads what these cases ask of a storage. */
export function reader(context: CaseContext) {
  const { storage } = context;
  const { product } = fixtures(context);
  const put = (records: readonly ProductRecord[]) =>
    putProducts(
      storage.records,
      "str_A",
      records.map((record) => ({ record, set_stock: true })),
    );
  const list = async (query: Partial<ProductQuery> = {}): Promise<readonly Product[]> => {
    const found = await storage.catalog.listProducts({
      ...partition,
      limit: 50,
      group: "first",
      ...query,
    });
    const rows = found.outcome === "listed" ? found.rows : [];
    return rows.map(({ document }) => JSON.parse(document) as Product);
  };
  const ids = async (query: Partial<ProductQuery> = {}) => (await list(query)).map(({ id }) => id);
  const groupOf = async (id: string): Promise<Product["group"]> => {
    const found = await storage.catalog.findProduct(partition, id);
    return found ? (JSON.parse(found.document) as Product).group : undefined;
  };
  return { product, put, list, ids, groupOf };
}
