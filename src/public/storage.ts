// `vitrine/storage` gives the storage port and its records to those who write a
// storage of their own.
export type { ProductSort } from "../contract/schemas.ts";
export type { IdKind } from "../domain/keys/ids.ts";
export type * from "../rules/audit/audit-records.ts";
export type { StockChange, StockCount, StockLevel } from "../rules/catalog/stock.ts";
export type * from "../rules/checkout/checkout-records.ts";
export type * from "../rules/checkout/hold-commands.ts";
export type * from "../rules/checkout/hold-record.ts";
export type { IdempotencyKey, KeyDecision } from "../rules/checkout/key-state.ts";
export type { SessionLine } from "../rules/checkout/session-line.ts";
export type { TestWork } from "../rules/clock/test-clock.ts";
export type * from "../rules/disputes/dispute-commands.ts";
export type * from "../rules/entitlements/entitlement-record.ts";
export type {
  CouponChange,
  Decision,
  NotedMessage,
  OpenHoldChange,
  OrderChanges,
  ScopedKey,
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
export type { RenewedPeriod } from "../rules/subscriptions/renewed-period.ts";
export type { SubscriptionSum } from "../rules/subscriptions/subscription-sums.ts";
export type { StoredDelivery } from "../rules/webhooks/deliveries.ts";
export type { ResendSubject } from "../rules/webhooks/resend.ts";
export type * from "../rules/webhooks/webhook-records.ts";
export type * from "../storage/audit-store.ts";
export type * from "../storage/back-office-store.ts";
export type * from "../storage/checkout-store.ts";
export type * from "../storage/consumer-store.ts";
export type * from "../storage/dashboard-store.ts";
export type * from "../storage/limit-store.ts";
export type * from "../storage/migration-plan.ts";
export type * from "../storage/order-store.ts";
export type * from "../storage/privacy-store.ts";
export type * from "../storage/reads/gauges-store.ts";
export type * from "../storage/reads/listing-store.ts";
export type * from "../storage/reads/stats-store.ts";
export type * from "../storage/record-store.ts";
export type * from "../storage/request-log-store.ts";
export type * from "../storage/step-store.ts";
export type * from "../storage/types.ts";
export type * from "../storage/webhook-store.ts";
