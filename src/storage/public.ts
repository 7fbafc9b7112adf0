// `vitrine/storage` gives the storage port and its records to those who write a
// storage of their own.
export type * from "../rules/audit/audit-records.ts";
export type { StockChange, StockCount, StockLevel } from "../rules/catalog/stock.ts";
export type * from "../rules/checkout/checkout-records.ts";
export type * from "../rules/checkout/hold-commands.ts";
export type * from "../rules/checkout/hold-record.ts";
export type * from "../rules/disputes/dispute-commands.ts";
export type {
  CouponChange,
  Decision,
  NotedMessage,
  OpenHoldChange,
  OrderChanges,
} from "../rules/orders/order-changes.ts";
export type * from "../rules/orders/order-commands.ts";
export type { OrderSnapshot, SnapshotCoupon } from "../rules/orders/order-snapshot.ts";
export type { CustomerTotal } from "../rules/orders/order-terms.ts";
export type * from "../rules/owner/dashboard-records.ts";
export type { Erasure } from "../rules/owner/erasure.ts";
export type { KeyUse, StoredKey } from "../rules/owner/key-use.ts";
export type * from "../rules/owner/list-records.ts";
export type {
  AddressKind,
  FoundRecord,
  RecordKind,
  RecordsByKind,
  StoreWithAddresses,
} from "../rules/owner/record-kinds.ts";
export type { StatChange, StatKind } from "../rules/owner/stats.ts";
export type * from "../rules/payments/payment-records.ts";
export type * from "../rules/payments/return-commands.ts";
export type * from "../rules/records.ts";
export type * from "../rules/refunds/refund-commands.ts";
export type { NumberedBlock, RequestBlock } from "../rules/request-log/request-log.ts";
export type { IdempotencyOutcome, RequestEntry } from "../rules/request-log/request-log-entries.ts";
export type * from "../rules/webhooks/webhook-records.ts";
export type * from "./audit-store.ts";
export type * from "./back-office-store.ts";
export type * from "./checkout-store.ts";
export type * from "./consumer-store.ts";
export type * from "./dashboard-store.ts";
export type * from "./limit-store.ts";
export type * from "./order-store.ts";
export type * from "./privacy-store.ts";
export type * from "./reads/gauges-store.ts";
export type * from "./reads/listing-store.ts";
export type * from "./reads/stats-store.ts";
export type * from "./record-store.ts";
export type * from "./request-log-store.ts";
export type * from "./step-store.ts";
export type * from "./types.ts";
export type * from "./webhook-store.ts";
