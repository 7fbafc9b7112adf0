// `vitrine/storage` is for the author of a storage: it exports the port, its records, and the rules
// that every storage applies.
export type { AllProductFacets, ProductFacets } from "../contract/catalog/facets-schema.ts";
export type { ProductSort } from "../contract/schemas.ts";
export type { IdKind } from "../domain/keys/ids.ts";
export { fold } from "../domain/text/fold.ts";
export { type Erased, eraseRows, type PersonalRows } from "../rows/erasure.ts";
export { judgeAlert, selectAlerts } from "../rows/lists/alerts.ts";
export {
  selectAttempts,
  selectDisputes,
  selectDue,
  selectRefunds,
  selectSubscriptions,
} from "../rows/lists/money.ts";
export {
  selectAudit,
  selectCoupons,
  selectCustomers,
  selectLinks,
  selectSignIns,
  unlessPast,
} from "../rows/lists/office.ts";
export {
  notesOf,
  searchOrders,
  selectCouponUses,
  selectOrders,
  selectSessions,
} from "../rows/lists/orders.ts";
export { selectOwnProducts } from "../rows/lists/products.ts";
export {
  eventsAfter,
  recoverable,
  selectDeliveries,
  selectEvents,
} from "../rows/lists/webhooks.ts";
export { by, type Compare, has, isCreatedIn, isIn, pageOf } from "../rows/page.ts";
export { findAmong } from "../rows/records.ts";
export { keepSales, type RemovedSales, sumSales, type TimedSale } from "../rows/sales.ts";
export { listShelf, type Shelf, withGroup } from "../rows/shelf.ts";
export { readOrder, readSession } from "../rows/step/read-step.ts";
export { takeStep } from "../rows/step/step.ts";
export type * from "../rows/step/step-rows.ts";
export { claimInTurns, nextDue, type PendingRows, skipPending } from "../rows/webhooks/claims.ts";
export { type SettlementRows, settleBatch } from "../rows/webhooks/settlements.ts";
export {
  claimRows,
  movedEarlier,
  testWorkOf,
  type WorkRows,
  workDueSince,
} from "../rows/work.ts";
export type { StoreArchive } from "../rules/archive/store-archive.ts";
export {
  customerErased,
  deliveriesRecovered,
  linkCreated,
  linkEnded,
  linkSpent,
  personChanged,
  recordChanges,
  sessionEnded,
  testDataWiped,
  tokensOfCustomer,
} from "../rules/audit/audit-changes.ts";
export type * from "../rules/audit/audit-records.ts";
export { catalogOf, maxRowsPerStore, type StoredCatalog } from "../rules/catalog/catalog-writes.ts";
export {
  type CategoryFilter,
  type CategoryName,
  resolveCategory,
} from "../rules/catalog/category-filter.ts";
export {
  cardOf,
  type GroupCard,
  groupIn,
  withCard,
  withVariants,
} from "../rules/catalog/groups/group-documents.ts";
export {
  type CodeSearch,
  firstOfGroups,
  type GroupMember,
  hasCode,
  marksOf,
  type ProductMarks,
} from "../rules/catalog/groups/product-groups.ts";
export type { OwnOrder, OwnPlace, OwnPlaced, OwnSort } from "../rules/catalog/own-sort.ts";
export { type ProductPage, pageOfProducts } from "../rules/catalog/product-page.ts";
export {
  type PlacedProduct,
  type PlacedRow,
  type ProductView,
  productView,
} from "../rules/catalog/product-view.ts";
export { productDocument } from "../rules/catalog/render.ts";
export {
  type Corrector,
  deletionsOfWord,
  isNear,
  type KnownWord,
  listCorrected,
  type WordLookup,
  wordsOfName,
} from "../rules/catalog/search/corrections.ts";
export { mostScanned } from "../rules/catalog/search/product-rank.ts";
export {
  type FoldedProduct,
  isFound,
  type ProductSearch,
  readSearch,
} from "../rules/catalog/search/product-search.ts";
export type { StockChange, StockCount, StockLevel } from "../rules/catalog/stock.ts";
export {
  changesAvailability,
  hasPieces,
  isOffered,
  onHandOf,
  stockLevelOf,
} from "../rules/catalog/stock.ts";
export { isTokenRevoked, mergeRevocations, type Revocation } from "../rules/checkout/buyer.ts";
export type * from "../rules/checkout/checkout-records.ts";
export type * from "../rules/checkout/hold-commands.ts";
export type * from "../rules/checkout/hold-record.ts";
export type { IdempotencyKey, KeyDecision } from "../rules/checkout/key-state.ts";
export { keyState } from "../rules/checkout/key-state.ts";
export {
  keptMessageMs,
  keptSessionDayMs,
  keptSessionMs,
  keyLifetimeMs,
} from "../rules/checkout/lifetimes.ts";
export { isHitInWindow } from "../rules/checkout/limits.ts";
export { startOfDay } from "../rules/checkout/session-day.ts";
export type { SessionLine } from "../rules/checkout/session-line.ts";
export { attemptDueAt, awaitsCall, dueAt } from "../rules/clock/due-times.ts";
export type { TestWork } from "../rules/clock/test-clock.ts";
export { offsetOf, withoutClock } from "../rules/clock/test-clock.ts";
export type * from "../rules/disputes/dispute-commands.ts";
export type * from "../rules/entitlements/entitlement-record.ts";
export { keysWanted } from "../rules/entitlements/key-pool.ts";
export type {
  CouponChange,
  Decision,
  NotedMessage,
  OpenHoldChange,
  OrderChanges,
  ScopedKey,
} from "../rules/orders/order-changes.ts";
export type * from "../rules/orders/order-commands.ts";
export { couponCustomerKey } from "../rules/orders/order-customer.ts";
export { withReservationSettled } from "../rules/orders/order-record.ts";
export type { OrderSnapshot, SnapshotCoupon } from "../rules/orders/order-snapshot.ts";
export { emptySnapshot } from "../rules/orders/order-snapshot.ts";
export type { CustomerTotal } from "../rules/orders/order-terms.ts";
export {
  channelTerm,
  customerTotal,
  keyTerm,
  maxNotes,
  orderTerms,
  productTerm,
  readOrderSearch,
  type SearchedOrder,
  sumTotals,
  waitingTerm,
} from "../rules/orders/order-terms.ts";
export type * from "../rules/owner/dashboard-records.ts";
export { erasedCustomerId } from "../rules/owner/erased-customer.ts";
export type { Erasure } from "../rules/owner/erasure.ts";
export {
  blankEvent,
  blankOrder,
  blankReply,
  blankSession,
  blankSubscription,
  type HeldCoupon,
  heldCoupon,
  withoutConsent,
  withoutReason,
} from "../rules/owner/erasure.ts";
export { mostCounted } from "../rules/owner/gauges.ts";
export type { KeyUse, StoredKey } from "../rules/owner/key-use.ts";
export { isNewUse } from "../rules/owner/key-use.ts";
export type * from "../rules/owner/list-records.ts";
export {
  disputeStatus,
  orderOfEvent,
  storedSessions,
  usesCoupon,
} from "../rules/owner/list-records.ts";
export {
  type CustomerRow,
  customersOf,
  type MoneyOfOrder,
} from "../rules/owner/order-search.ts";
export { foundPerson, isPersonId, personOf, rowOfPerson } from "../rules/owner/people.ts";
export type {
  AddressKind,
  FoundRecord,
  PutKind,
  RecordKind,
  RecordsByKind,
  StoreWithAddresses,
} from "../rules/owner/record-kinds.ts";
export { foundRecord, isShownInCatalog, uniqueOf } from "../rules/owner/record-kinds.ts";
export type {
  ComparedSale,
  PaidSpan,
  Sale,
  SaleKind,
  SaleSum,
  SalesQuery,
} from "../rules/owner/sales.ts";
export type { StatChange, StatKind } from "../rules/owner/stats.ts";
export {
  addUp,
  type CountedBefore,
  startOfHour,
  statOfDelivery,
  statOfSessions,
  statsOf,
} from "../rules/owner/stats.ts";
export { currentAttempt } from "../rules/payments/order-attempt.ts";
export { referencesOf } from "../rules/payments/order-money.ts";
export type * from "../rules/payments/payment-records.ts";
export type * from "../rules/payments/return-commands.ts";
export type * from "../rules/records.ts";
export type * from "../rules/refunds/refund-commands.ts";
export type { NumberedBlock, RequestBlock } from "../rules/request-log/request-log.ts";
export { oldestKept } from "../rules/request-log/request-log.ts";
export type { IdempotencyOutcome, RequestEntry } from "../rules/request-log/request-log-entries.ts";
export type { RenewedPeriod } from "../rules/subscriptions/renewed-period.ts";
export {
  isEnding,
  orderAfterEnd,
  renewalWorkAt,
  subscriptionEndsAt,
} from "../rules/subscriptions/subscription-record.ts";
export type { SubscriptionSum } from "../rules/subscriptions/subscription-sums.ts";
export { sumSubscriptions } from "../rules/subscriptions/subscription-sums.ts";
export { trialCoupon } from "../rules/subscriptions/trial.ts";
export { compareTurns, skipLimit } from "../rules/webhooks/claim-turns.ts";
export type { StoredDelivery } from "../rules/webhooks/deliveries.ts";
export {
  firstDelivery,
  leased,
  recordOf,
  restarted,
  settledDelivery,
  settleOutcomeOf,
  skipped,
  wantsEvent,
} from "../rules/webhooks/deliveries.ts";
export {
  type EndpointHealth,
  type HealthDecision,
  healthy,
  judgeEndpoint,
  resetsHealth,
} from "../rules/webhooks/health.ts";
export { type RenderedEvent, renderEvent } from "../rules/webhooks/render-event.ts";
export type { ResendSubject } from "../rules/webhooks/resend.ts";
export type * from "../rules/webhooks/webhook-records.ts";
export { settlementsOfHealth } from "../rules/webhooks/worker-lost.ts";
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
