// `vitrine/owner` gives what a host's own code and dashboard name: the inputs and records of
// `storefront.owner` and of the services beside it.
export type { ProductGroup, ProductOption } from "../contract/schemas.ts";
export { exportReply } from "../http/replies/export-reply.ts";
export type { LoggedBodies } from "../http/request-log/request-log-settings.ts";
export type { Action } from "../owner/actions.ts";
export type { OwnerAddresses } from "../owner/addresses.ts";
export type { Acknowledgement, Alert, AlertQuery, OwnerAlerts } from "../owner/alerts.ts";
export type {
  ArchivedCustomerRef,
  ArchivedMonths,
  ArchivedOrderRef,
  ArchiveMonth,
  OwnerArchive,
} from "../owner/archive/archive.ts";
export type { ArchivedEntitlement, ArchivedOrder } from "../owner/archive/archived-order.ts";
export type { ArchiveErasure } from "../owner/archive/erase-archived.ts";
export type { MoveResult } from "../owner/archive/move-month.ts";
export type { ArchiveFiles, ArchiveManifest } from "../owner/archive/parts.ts";
export type { AuditEntry, AuditListInput, OwnerAudit } from "../owner/audit.ts";
export type {
  CategoryChanges,
  CategoryInput,
  OwnerCategories,
  OwnerCategory,
} from "../owner/catalog/categories.ts";
export type { CouponListInput } from "../owner/catalog/coupon-list.ts";
export type {
  CouponUse,
  CouponUseCount,
  CouponUseListInput,
} from "../owner/catalog/coupon-uses.ts";
export type {
  CouponChanges,
  CouponInput,
  OwnerCoupon,
  OwnerCoupons,
} from "../owner/catalog/coupons.ts";
export type {
  OwnerPaymentMethod,
  OwnerPaymentMethods,
  PaymentMethodChanges,
  PaymentMethodInput,
} from "../owner/catalog/payment-methods.ts";
export type {
  OwnerFacetQuery,
  OwnerProductQuery,
  ProductChanges,
  ProductInput,
  ProductPut,
} from "../owner/catalog/product-input.ts";
export type {
  KeyPoolRef,
  KeysLeft,
  KeyUpload,
  UploadedKeys,
} from "../owner/catalog/product-keys.ts";
export type { StockLeft, StockQuery } from "../owner/catalog/product-stock.ts";
export type { ProductUpdate } from "../owner/catalog/product-updates.ts";
export type { OwnerProduct, OwnerProducts } from "../owner/catalog/products.ts";
export type { UpdateOptions } from "../owner/expected.ts";
export type { BooksQuery } from "../owner/exports/books/open-books.ts";
export type { ExportFilters, ExportKind } from "../owner/exports/kinds.ts";
export type { ExportFormat, ExportQuery, OwnerExport } from "../owner/exports/open-export.ts";
export type {
  ImportedArticle,
  ImportedCategory,
  ImportedProduct,
  ImportedRecords,
  ReadProduct,
  RecordCounts,
  RecordImport,
  RecordOutcome,
  RecordProgress,
  RowFault,
} from "../owner/imports/imported-product.ts";
export type {
  ImportBody,
  ImportedProducts,
  ImportFault,
  ProductImport,
  ProductImportProgress,
} from "../owner/imports/product-import.ts";
export type { CreatedKey, KeyInfo, KeyInput, OwnerKeys } from "../owner/keys.ts";
export type { Owner } from "../owner/owner.ts";
export type { PageQuery } from "../owner/page.ts";
export type {
  OwnerRequest,
  OwnerRequests,
  RequestListInput,
  RequestRef,
} from "../owner/requests.ts";
export type {
  CustomerPageLink,
  CustomerPageLinkInput,
  OwnerCustomer,
  OwnerCustomerDetails,
  OwnerCustomerQuery,
  OwnerCustomerRef,
  OwnerCustomers,
} from "../owner/sales/customers.ts";
export type { DisputeListInput, OwnerDispute, OwnerDisputes } from "../owner/sales/disputes.ts";
export type { OwnerActivation, OwnerActivationRef } from "../owner/sales/order-licenses.ts";
export type {
  OwnerAttempt,
  OwnerMoney,
  OwnerTimelineEntry,
  TimelineEvent,
} from "../owner/sales/order-timeline.ts";
export type {
  OwnerEntitlementRef,
  OwnerNote,
  OwnerNoteInput,
  OwnerNoteQuery,
  OwnerOrder,
  OwnerOrderQuery,
  OwnerOrderRef,
  OwnerOrders,
} from "../owner/sales/orders.ts";
export type { OwnerPayment, OwnerPayments, PaymentListInput } from "../owner/sales/payments.ts";
export type { OwnerRefundListInput, OwnerRefunds } from "../owner/sales/refunds.ts";
export type { OwnerSession, OwnerSessions, SessionListInput } from "../owner/sales/sessions.ts";
export type {
  OwnerSubscriptionListInput,
  OwnerSubscriptions,
  SubscriptionMovement,
  SubscriptionSummary,
  SubscriptionSummaryInput,
} from "../owner/sales/subscriptions.ts";
export type {
  ChannelSales,
  OwnerSales,
  OwnerSalesQuery,
  ProductSales,
  SalesNumbers,
} from "../owner/stats/sales.ts";
export type {
  DeliveryPoint,
  OwnerStats,
  SessionPoint,
  StatsPoint,
  StatsQuery,
} from "../owner/stats/stats.ts";
export type {
  DeliveryNumbers,
  SessionNumbers,
  StatsNumbers,
} from "../owner/stats/stats-numbers.ts";
export type {
  OwnerStore,
  OwnerStores,
  StoreChanges,
  StoreInput,
  StoreQuery,
} from "../owner/stores.ts";
export type { AdvanceInput, OwnerClock, OwnerTestClock } from "../owner/test-clock.ts";
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryQuery,
  DeliveryRef,
  OwnerDeliveries,
} from "../owner/webhooks/deliveries.ts";
export type { EndpointAttempts, EndpointHealthReport } from "../owner/webhooks/endpoint-health.ts";
export type {
  EnableInput,
  EndpointChanges,
  EndpointInput,
  RecoveryInput,
  RotationInput,
} from "../owner/webhooks/endpoint-input.ts";
export type {
  CreatedEndpoint,
  OwnerEndpoints,
  Recovered,
  RotatedEndpoint,
} from "../owner/webhooks/endpoints.ts";
export type {
  EventListInput,
  EventRef,
  OwnerEvent,
  OwnerEvents,
} from "../owner/webhooks/events.ts";
export type { Endpoint } from "../owner/webhooks/shown-endpoint.ts";
export type { CustomerPage } from "../pages/customer/customer-page.ts";
export type {
  CustomerPageOptions,
  CustomerPageUploads,
  HandedToken,
  OpenedFile,
  ReceiptSeller,
  WantedFile,
} from "../pages/customer/options.ts";
export type { CustomerTextName, CustomerTexts } from "../pages/customer/texts/text-names.ts";
export type { ActorServices } from "../payments/actor-services.ts";
export type {
  CheckoutHold,
  CheckoutService,
  CheckoutView,
  RecurringPayment,
  SubmitResult,
  WaitingElement,
} from "../payments/checkout/checkout-service.ts";
export type { StepOptions } from "../payments/context.ts";
export type {
  AgreementInput,
  CancelInput,
  ChangePriceInput,
  CloseDisputeInput,
  CompleteInput,
  DisputeInput,
  HoldInput,
  MarkFailedInput,
  MarkPaidInput,
  PartitionInput,
  PayLinkInput,
  RefundInput,
  RefundListInput,
  RenewalFailedInput,
  RenewInput,
  SubmitInput,
  SubscriptionListInput,
  UpdateSubscriptionInput,
} from "../payments/inputs.ts";
export type { MaintenanceReport } from "../payments/maintenance/maintenance.ts";
export type { MaintenanceOptions } from "../payments/maintenance/maintenance-options.ts";
export type { JobReport } from "../payments/maintenance/maintenance-slices.ts";
export type { JobName } from "../payments/maintenance/upkeep-jobs.ts";
export type { OrderService } from "../payments/order-service.ts";
export type { RefundService } from "../payments/refunds/refund-service.ts";
export type { RefundResult } from "../payments/refunds/refunds.ts";
export type {
  AgreementOutcome,
  PayLink,
  RenewalOutcome,
  SubscriptionService,
} from "../payments/subscriptions.ts";
export type {
  CustomerTokenKey,
  HostTokenOptions,
  IssuedToken,
  OwnTokenOptions,
  TokenRequest,
} from "../payments/tokens/buyer-tokens.ts";
export type { CustomerService } from "../payments/tokens/customer-service.ts";
export type { VerifiedBuyer, VerifyToken } from "../payments/tokens/host-tokens.ts";
export type { MappedClaims, RemoteTokenOptions } from "../payments/tokens/remote-tokens.ts";
export type { StayReason } from "../rules/archive/stay.ts";
export type { AuditSubject, AuditSubjectType } from "../rules/audit/audit-records.ts";
export type { OwnerFacets } from "../rules/catalog/own-facets.ts";
export type { Buyer, BuyerTokens } from "../rules/checkout/buyer.ts";
export type { ProductDelivery } from "../rules/entitlements/entitlement-record.ts";
export type { SessionOutcome } from "../rules/orders/outcomes.ts";
export type { DisputeStatus } from "../rules/owner/list-records.ts";
export type { BuyerReason } from "../rules/payments/decline-reasons.ts";
export type { IdempotencyOutcome } from "../rules/request-log/request-log-entries.ts";
export type { DeliveryState } from "../rules/webhooks/webhook-records.ts";
export type {
  CatalogSearch,
  EngineAnswer,
  EngineQuery,
} from "../storage/reads/catalog-search.ts";
export type { ConsumeOptions } from "../webhooks/consume.ts";
export type { DrainOptions, DrainReport } from "../webhooks/drain/drain.ts";
export type { EventLag, LagOptions } from "../webhooks/event-lag.ts";
export type { RelayedEvent, RelayOptions } from "../webhooks/relay.ts";
export type { TestSent } from "../webhooks/test-event.ts";
