import { fail } from "../../contract/errors.ts";
import { readSourceCategory, readSourceProduct } from "../../input/source-records.ts";
import { optionsField } from "../../rules/catalog/groups/product-options.ts";
import type { CartProduct } from "../../rules/checkout/checkout-records.ts";
import type { Partition } from "../../rules/records.ts";
import type { CatalogSource, SourceCartProduct } from "../../storage/reads/catalog-source.ts";
import type { Storage } from "../../storage/types.ts";
import type { CatalogQuery, CatalogReader, HostPage } from "./catalog-reader.ts";

const maxCategories = 1_000;

/**
 * Reads the host's own product tables by the `catalog` option. Coupons stay in our
 * storage.
 */
export function sourceCatalog(source: CatalogSource, { checkout }: Storage): CatalogReader {
  const cartProducts = async (
    partition: Partition,
    product_ids: readonly string[],
  ): Promise<readonly CartProduct[]> => {
    const lines = await hostAnswer(() => source.cart({ ...partition, product_ids }));
    return listOf(lines, "cart gave no list")
      .filter((line) => !line?.product || product_ids.includes(line.product.id))
      .map((line) => cartProduct(partition.store_id, line));
  };

  return {
    versioned: false,
    searched: false,
    listProducts: (query) => listProducts(source, query),
    async findProduct(partition, id_or_slug) {
      const product = await hostAnswer(() => source.find({ ...partition, id_or_slug }));
      return product == null ? null : { document: JSON.stringify(readSourceProduct(product)) };
    },
    async listCategories(store_id) {
      const categories = await hostAnswer(() => source.categories({ store_id }));
      const list = listOf(categories, "categories gave no list");
      return list.slice(0, maxCategories).map(readSourceCategory);
    },
    async loadCart(partition, product_ids, coupon_code) {
      const { coupon } = await checkout.loadCart(partition, [], coupon_code);
      return { coupon, products: await cartProducts(partition, product_ids) };
    },
    cartProducts,
  };
}

async function listProducts(
  source: CatalogSource,
  {
    after,
    category_slug,
    catalog_version: _,
    correct: __,
    facets: ___,
    by_engine: ____,
    sort,
    ...query
  }: CatalogQuery,
): Promise<HostPage> {
  const page = await hostAnswer(() =>
    source.list({
      ...query,
      ...(sort === undefined || sort === "relevance" ? {} : { sort }),
      ...(category_slug === undefined ? {} : { category: category_slug }),
      ...(after === undefined ? {} : { after: after.id }),
    }),
  );

  const products = listOf(page?.products, "list gave no list of products");
  const { next } = page;
  if (next !== null && typeof next !== "string")
    throw wrongAnswer("list gave a next that is neither a text nor null");
  const rows = products.slice(0, query.limit).map((record) => {
    const product = readSourceProduct(record);
    return { id: product.id, position: 0, document: JSON.stringify(product) };
  });
  return { outcome: "listed", rows, next };
}

const wrongAnswer = (fault: string): Error => new Error(`The catalog option's ${fault}.`);

/** Refuses what a host's hook gave in the place of a list. */
function listOf<T>(given: readonly T[], fault: string): readonly T[] {
  if (!Array.isArray(given)) throw wrongAnswer(fault);
  return given;
}

/**
 * Asks the host. The host's database is a storage too: when it fails, by a rejection or a
 * throw, the client is told to try again.
 */
async function hostAnswer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    return fail("service_unavailable", { retry_after: 1, cause });
  }
}

function cartProduct(store_id: string, line: SourceCartProduct): CartProduct {
  const { available, group, created_at, updated_at, options, ...fields } = readSourceProduct(
    line?.product,
  );
  const { on_hand } = line;
  if (on_hand !== null && !Number.isSafeInteger(on_hand))
    throw wrongAnswer("cart gave an on_hand that is no whole number, nor null");
  return {
    ...fields,
    ...optionsField({ options }),
    group: group?.id ?? null,
    store_id,
    active: true,
    // A count of 0 says that the product is sold out; whatever else is not available is blocked.
    blocked: !available && on_hand !== 0,
    stock: null,
    position: 0,
    on_hand,
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
  };
}
