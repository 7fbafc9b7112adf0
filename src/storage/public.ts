// `vitrine/storage` gives the storage port and its records to those who write a
// storage of their own.
export type * from "../rules/audit-records.ts";
export type * from "../rules/checkout-records.ts";
export type * from "../rules/dashboard-records.ts";
export type * from "../rules/dispute-commands.ts";
export type { Erasure } from "../rules/erasure.ts";
export type * from "../rules/hold-commands.ts";
export type * from "../rules/hold-record.ts";
export type { KeyUse, StoredKey } from "../rules/key-use.ts";
export type * from "../rules/list-records.ts";
export type {
  CouponChange,
  Decision,
  NotedMessage,
  OpenHoldChange,
  OrderChanges,
} from "../rules/order-changes.ts";
export type * from "../rules/order-commands.ts";
export type { OrderSnapshot, SnapshotCoupon } from "../rules/order-snapshot.ts";
export type { CustomerTotal } from "../rules/order-terms.ts";
export type * from "../rules/payment-records.ts";
export type * from "../rules/records.ts";
export type * from "../rules/refund-commands.ts";
export type { NumberedBlock, RequestBlock } from "../rules/request-log.ts";
export type { IdempotencyOutcome, RequestEntry } from "../rules/request-log-entries.ts";
export type * from "../rules/return-commands.ts";
export type { StatChange, StatKind } from "../rules/stats.ts";
export type { StockChange, StockCount, StockLevel } from "../rules/stock.ts";
export type * from "../rules/webhook-records.ts";
export type * from "./audit-store.ts";
export type * from "./back-office-store.ts";
export type * from "./checkout-store.ts";
export type * from "./consumer-store.ts";
export type * from "./dashboard-store.ts";
export type * from "./gauges-store.ts";
export type * from "./limit-store.ts";
export type * from "./listing-store.ts";
export type * from "./order-store.ts";
export type * from "./privacy-store.ts";
export type * from "./request-log-store.ts";
export type * from "./stats-store.ts";
export type * from "./step-store.ts";
export type * from "./types.ts";
export type * from "./webhook-store.ts";
