import type { AllProductFacets } from "../contract/catalog/facets-schema.ts";
import type { ProductSort } from "../contract/schemas.ts";
import type { OwnOrder } from "../rules/catalog/own-sort.ts";
import type { StockLevel } from "../rules/catalog/stock.ts";
import type { KeyUse, StoredKey } from "../rules/owner/key-use.ts";
import type { StoredAlert } from "../rules/owner/list-records.ts";
import type { AddressKind } from "../rules/owner/record-kinds.ts";
import type {
  AccessRecord,
  AlertRecord,
  CategoryRecord,
  CouponRecord,
  Partition,
  PaymentMethodRecord,
  ProductRecord,
  StoreRecord,
} from "../rules/records.ts";
import type { AuditStore } from "./audit-store.ts";
import type { BackOfficeStore } from "./back-office-store.ts";
import type { CheckoutStore } from "./checkout-store.ts";
import type { ConsumerStore } from "./consumer-store.ts";
import type { DashboardStore } from "./dashboard-store.ts";
import type { LimitStore } from "./limit-store.ts";
import type { PlannedStatement } from "./migration-plan.ts";
import type { OrderStore } from "./order-store.ts";
import type { PrivacyStore } from "./privacy-store.ts";
import type { GaugesStore } from "./reads/gauges-store.ts";
import type { AgeOrder, ListingStore } from "./reads/listing-store.ts";
import type { StatsStore } from "./reads/stats-store.ts";
import type { RecordStore } from "./record-store.ts";
import type { RequestLogStore } from "./request-log-store.ts";
import type { WebhookStore } from "./webhook-store.ts";

/**
 * What vitrine asks of a storage. Each method is one atomic step, and its result names every way in
 * which it can end. The caller gives `now` and all ids, so that a step that is repeated after a
 * lost acknowledgement gives the first answer. A storage that cannot answer throws an `ApiError`
 * with the code `service_unavailable`, and the buyer gets 503. Any other error gives the buyer 500.
 */
export interface Storage {
  readonly access: AccessStore;
  readonly catalog: CatalogStore;
  readonly records: RecordStore;
  readonly checkout: CheckoutStore;
  readonly orders: OrderStore;
  readonly webhooks: WebhookStore;
  readonly limits: LimitStore;
  readonly consumers: ConsumerStore;
  readonly privacy: PrivacyStore;
  readonly lists: ListingStore;
  readonly backOffice: BackOfficeStore;
  readonly stats: StatsStore;
  readonly gauges: GaugesStore;
  readonly dashboard: DashboardStore;
  readonly requests: RequestLogStore;
  readonly audit: AuditStore;
  /**
   * Deletes idempotency keys, limit buckets and notification ids that have expired,
   * and expired rows of the dashboard and of the request log. It also deletes
   * sessions without an order 30 days after their end. It deletes at most `limit`
   * of each kind, and returns how many rows it deleted. The times of rows are compared with `now`
   * as they stand, so that a test clock that was turned lets it delete nothing sooner.
   */
  purge(now: number, limit: number): Promise<number>;
  /** Creates or updates the tables. Several processes may call it at once. */
  migrate(): Promise<void>;
  /** Gives what `migrate()` would run, and changes nothing. Absent where nothing is to plan. */
  readonly planMigration?: () => Promise<readonly PlannedStatement[]>;
  /** True when a step can run inside a transaction of the host's, on the subject's `client`. */
  readonly joinsTransactions: boolean;
  /**
   * Names the settings under which the loss of a machine, or a slow statement, would stop sales
   * for long. `storefront.migrate()` warns of each. Absent where there are no such settings.
   */
  readonly findRisks?: () => Promise<readonly string[]>;
  /** Closes what the storage opened itself. What the host gave it stays open. */
  close(): Promise<void>;
  /** True when nothing outlives this process: a seal key may then be made up at start. */
  readonly ephemeral: boolean;
  /**
   * Gives a counter that moves when another process wrote, so that caches are exact
   * (SQLite). It is null when the database has none.
   */
  readonly dataVersion: (() => number) | null;
  /**
   * The database's own clock. Null means that the storage has none, and the
   * host's counts. A clock given as an option wins.
   */
  readonly clock: StorageClock | null;
}

/** A database's own clock, the same for every process on it. */
export interface StorageClock {
  /**
   * Gives the time in epoch milliseconds: the host's clock, corrected by the
   * difference that was measured last.
   */
  now(): number;
}

/** Keeps stores, their keys and their lists of addresses, and the alerts about them. */
export interface AccessStore {
  findAccess(key_hash: string): Promise<AccessRecord | null>;
  /** Finds a store by its id, or by its slug. */
  findStore(value: string, by?: "id" | "slug"): Promise<StoreRecord | null>;
  /** Gives stores by id, from the one behind `after`. */
  listStores(page: { after: string | null; limit: number }): Promise<readonly StoreRecord[]>;
  /** Gives all keys of a store by id, revoked ones too. */
  listKeys(store_id: string): Promise<readonly StoredKey[]>;
  /**
   * Stores the times at which keys were last used. A use that is less than an hour after
   * the stored one changes nothing, so that a key is written once an hour at most. An
   * unknown or revoked key is left out.
   */
  noteKeyUses(uses: readonly KeyUse[]): Promise<void>;
  /** Gives the addresses as they stand in the list, which the owner's steps write whole. */
  listAddresses(kind: AddressKind, store_id: string): Promise<readonly string[]>;
  /**
   * Stores the alert. It does not when an alert of the same store, mode, type and subject was
   * stored at or after `unless_since`. No notice goes with it: those of `raiseOrderAlert`, of
   * `settleDeliveries` and of steps of orders have one.
   */
  raiseAlert(alert: AlertRecord, unless_since: number): Promise<{ raised: boolean }>;
  /** Gives alerts, newest first by id. */
  listAlerts(store_id: string, page: AlertQuery): Promise<readonly StoredAlert[]>;
}

/** Selects the alerts of a list. */
export interface AlertQuery extends AgeOrder {
  /** Selects both modes when it is left out. */
  readonly livemode?: boolean;
  readonly acknowledged?: boolean;
  /** The id of the last alert that the caller has seen. */
  readonly before: string | null;
  readonly limit: number;
}

/** One row of a product list. */
export interface ProductRow {
  readonly id: string;
  /** The number that the list is sorted by: the position, the price or the time of creation. */
  readonly position: number;
  /** The product's public JSON in the mode of the query. */
  readonly document: string;
}

/** Selects the products that the catalog shows a buyer. */
export interface ProductQuery extends Partition {
  /** The answer is at least this new: a storage asks the primary when its replica is behind. */
  readonly catalog_version?: number;
  readonly category_slug?: string;
  readonly category_id?: string;
  /**
   * Folded. Each of its words is found anywhere in the folded name or slug, and wildcards
   * are plain text.
   */
  readonly search?: string;
  /**
   * True when a search that finds nothing is to be corrected by the words of active products'
   * names, as `listCorrected` does.
   */
  readonly correct?: boolean;
  /** Left out, it is `position`. With `relevance` comes a search. */
  readonly sort?: ProductSort;
  /**
   * `first` lists one active product of each group: the cheapest, or the first by (position, id)
   * among equal prices. Its document has the prices of the group.
   */
  readonly group?: "first";
  /** True when the products of all pages are counted. `listShelf` does it. */
  readonly facets?: true;
  /** The row before the first one, as a `ProductRow` of the same order tells it. */
  readonly after?: { readonly position: number; readonly id: string };
  readonly offset?: number;
  readonly limit: number;
}

/** Selects the products that a store's owner looks for. */
export interface OwnProductQuery {
  /**
   * Folded, as in `ProductQuery`. Products whose folded SKU begins with it are found too, and the
   * one whose external id is `code`.
   */
  readonly search?: string;
  /** The search as it was typed. */
  readonly code?: string;
  /** Selects the products of this group. */
  readonly group?: string;
  /** False selects drafts alone. */
  readonly active?: boolean;
  readonly category_id?: string;
  /** Selects products that cost from one of these to the other, both included. */
  readonly price?: { readonly min?: number; readonly max?: number };
  /** Selects products with this much left in the mode. */
  readonly stock?: { readonly level: StockLevel; readonly livemode: boolean };
  /** An order other than that of the ids, and the row to begin behind. `after` is null then. */
  readonly sorted?: OwnOrder;
  readonly after: string | null;
  readonly limit: number;
}

/** Keeps products, categories, payment methods and coupons. */
export interface CatalogStore {
  /**
   * Finds by id, else by slug. A draft (`active: false`) is not found. The document of a product
   * in a group tells of the active products of the group, by (position, id).
   */
  findProduct(
    partition: Partition,
    id_or_slug: string,
    catalog_version?: number,
  ): Promise<{ document: string } | null>;
  /**
   * Gives at most `limit + 1` active products by (position, id), or in the order of
   * `sort`, whose ties go by id the same way. An unknown or
   * disabled category gives no rows. A slug and an id that name different
   * categories give `category_conflict`. `corrected_to` is the search that found the rows in
   * place of one that found nothing. `facets` is given where they were asked for, and null
   * beyond 10,000 products. They are those of the corrected search.
   */
  listProducts(query: ProductQuery): Promise<
    | {
        outcome: "listed";
        rows: readonly ProductRow[];
        corrected_to?: string;
        facets?: AllProductFacets | null;
      }
    | { outcome: "category_conflict" }
  >;
  /** Gives the enabled categories by (position, id), at most 1,000. */
  listCategories(store_id: string, catalog_version?: number): Promise<readonly CategoryRecord[]>;
  /** Gives all payment methods by (position, id), disabled ones too, at most 1,000. */
  listPaymentMethods(store_id: string): Promise<readonly PaymentMethodRecord[]>;

  // The owner uses the methods below.

  /** Gives the products that exist, by ids, slugs or external ids, in any order; drafts too. */
  findProductRecords(
    store_id: string,
    values: readonly string[],
    by?: "id" | "slug" | "external_id",
  ): Promise<readonly ProductRecord[]>;
  /** Gives products by id, from the one behind `after`, or in the order of `sorted`; drafts too. */
  listProductRecords(store_id: string, query: OwnProductQuery): Promise<readonly ProductRecord[]>;
  /** Gives all categories by id, disabled ones too. */
  listCategoryRecords(store_id: string): Promise<readonly CategoryRecord[]>;
  listCoupons(store_id: string, query: CouponQuery): Promise<readonly CouponRecord[]>;
}

/** Selects the coupons of a list: by id, or by code, whose bytes are compared. */
export interface CouponQuery {
  readonly by?: "code";
  /** The id of the last coupon that the caller has seen, or its code where they are by code. */
  readonly after: string | null;
  /** True turns the order around. */
  readonly descending?: true;
  readonly limit: number;
}
