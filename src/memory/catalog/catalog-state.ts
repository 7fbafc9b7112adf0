import type { StockCount } from "../../rules/catalog/stock.ts";
import type { PoolKey } from "../../rules/entitlements/entitlement-record.ts";
import type {
  CategoryRecord,
  CouponRecord,
  PaymentMethodRecord,
  ProductRecord,
} from "../../rules/records.ts";

export interface StoredProduct {
  readonly record: ProductRecord;
  /** A search looks in these texts. */
  readonly folded: readonly [name: string, slug: string];
  /** The public JSON of the live mode. */
  readonly live: string;
  /** The public JSON of the test mode. */
  readonly test: string;
}

/** An uploaded key. It is given once an entitlement has it. */
export interface StoredPoolKey extends PoolKey {
  readonly entitlement_id: string | null;
}

export interface CatalogState {
  /** The products by store, then by id. */
  readonly products: Map<string, Map<string, StoredProduct>>;
  readonly categories: Map<string, Map<string, CategoryRecord>>;
  readonly methods: Map<string, Map<string, PaymentMethodRecord>>;
  readonly coupons: Map<string, Map<string, CouponRecord>>;
  /** The stock by partition and product id. */
  readonly stock: Map<string, StockCount>;
  /** The uploaded keys by partition and product id, then by hash. */
  readonly pools: Map<string, Map<string, StoredPoolKey>>;
  /** The number of uses by partition and coupon id. */
  readonly coupon_uses: Map<string, number>;
}

export const createCatalogState = (): CatalogState => ({
  products: new Map(),
  categories: new Map(),
  methods: new Map(),
  coupons: new Map(),
  stock: new Map(),
  pools: new Map(),
  coupon_uses: new Map(),
});
