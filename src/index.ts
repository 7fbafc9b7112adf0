export {
  ApiError,
  type ErrorCode,
  type ErrorDetails,
  isApiError,
  type PublicErrorCode,
} from "./contract/errors.ts";
export { type EventType, eventTypes, type WebhookEvent } from "./contract/events.ts";
export { type Operation, paths } from "./contract/paths.ts";
export type { LimitName, Page } from "./contract/routes.ts";
export type {
  Category,
  CheckoutSession,
  CheckoutSessionDetails,
  Customer,
  FailureCode,
  Order,
  OrderStatus,
  PaymentMethod,
  Product,
  ProductVariable,
  Store,
  Subscription,
} from "./contract/schemas.ts";
export type { IdKind } from "./domain/keys/ids.ts";
export type { Logger } from "./domain/logger.ts";
export type { PluralForms } from "./domain/plural.ts";
export type { Limit } from "./http/context.ts";
export type { NotificationEndpoint } from "./http/notifications/notifications.ts";
export type {
  CacheLookup,
  DeliveryEnd,
  DeliveryStart,
  GaugeValue,
  Observer,
  ReadGauges,
  RequestEnd,
  RequestStart,
  StorageCall,
} from "./http/observe/observer.ts";
export { exportReply } from "./http/replies/export-reply.ts";
export type { LoggedBodies } from "./http/request-log/request-log-settings.ts";
export type {
  ParsedBody,
  RequestClient,
  Serve,
  WireBody,
  WireReply,
  WireRequest,
} from "./http/wire.ts";
export { memoryStorage } from "./memory/memory-storage.ts";
export type { ModeUrls, StorefrontOptions } from "./options.ts";
export type { Action } from "./owner/actions.ts";
export type { OwnerAddresses } from "./owner/addresses.ts";
export type { Acknowledgement, Alert, AlertQuery, OwnerAlerts } from "./owner/alerts.ts";
export type { AuditEntry, AuditListInput, OwnerAudit } from "./owner/audit.ts";
export type {
  CategoryChanges,
  CategoryInput,
  OwnerCategories,
  OwnerCategory,
} from "./owner/catalog/categories.ts";
export type { CouponUse, CouponUseCount, CouponUseListInput } from "./owner/catalog/coupon-uses.ts";
export type {
  CouponChanges,
  CouponInput,
  OwnerCoupon,
  OwnerCoupons,
} from "./owner/catalog/coupons.ts";
export type {
  OwnerPaymentMethod,
  OwnerPaymentMethods,
  PaymentMethodChanges,
  PaymentMethodInput,
} from "./owner/catalog/payment-methods.ts";
export type {
  OwnerProductQuery,
  ProductChanges,
  ProductInput,
  ProductPut,
} from "./owner/catalog/product-input.ts";
export type { StockLeft, StockQuery } from "./owner/catalog/product-stock.ts";
export type { OwnerProduct, OwnerProducts } from "./owner/catalog/products.ts";
export type { UpdateOptions } from "./owner/expected.ts";
export type { ExportFilters, ExportKind } from "./owner/exports/kinds.ts";
export type { ExportFormat, ExportQuery, OwnerExport } from "./owner/exports/open-export.ts";
export type {
  ImportBody,
  ImportedProducts,
  ImportFault,
  ProductImport,
} from "./owner/imports/product-import.ts";
export type { CreatedKey, KeyInfo, KeyInput, OwnerKeys } from "./owner/keys.ts";
export type { Owner } from "./owner/owner.ts";
export type { PageQuery } from "./owner/page.ts";
export type {
  OwnerRequest,
  OwnerRequests,
  RequestListInput,
  RequestRef,
} from "./owner/requests.ts";
export type {
  OwnerCustomer,
  OwnerCustomerDetails,
  OwnerCustomerQuery,
  OwnerCustomerRef,
  OwnerCustomers,
} from "./owner/sales/customers.ts";
export type { DisputeListInput, OwnerDispute, OwnerDisputes } from "./owner/sales/disputes.ts";
export type {
  OwnerAttempt,
  OwnerMoney,
  OwnerTimelineEntry,
  TimelineEvent,
} from "./owner/sales/order-timeline.ts";
export type {
  OwnerNote,
  OwnerNoteInput,
  OwnerNoteQuery,
  OwnerOrder,
  OwnerOrderQuery,
  OwnerOrderRef,
  OwnerOrders,
} from "./owner/sales/orders.ts";
export type { OwnerPayment, OwnerPayments, PaymentListInput } from "./owner/sales/payments.ts";
export type { OwnerRefundListInput, OwnerRefunds } from "./owner/sales/refunds.ts";
export type { OwnerSession, OwnerSessions, SessionListInput } from "./owner/sales/sessions.ts";
export type {
  OwnerSubscriptionListInput,
  OwnerSubscriptions,
} from "./owner/sales/subscriptions.ts";
export type {
  DeliveryNumbers,
  DeliveryPoint,
  OwnerStats,
  SessionNumbers,
  SessionPoint,
  StatsNumbers,
  StatsPoint,
  StatsQuery,
} from "./owner/stats/stats.ts";
export type {
  OwnerStore,
  OwnerStores,
  StoreChanges,
  StoreInput,
  StoreQuery,
} from "./owner/stores.ts";
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryQuery,
  DeliveryRef,
  OwnerDeliveries,
} from "./owner/webhooks/deliveries.ts";
export type { EndpointAttempts, EndpointHealthReport } from "./owner/webhooks/endpoint-health.ts";
export type {
  EnableInput,
  EndpointChanges,
  EndpointInput,
  RecoveryInput,
  RotationInput,
} from "./owner/webhooks/endpoint-input.ts";
export type {
  CreatedEndpoint,
  OwnerEndpoints,
  Recovered,
  RotatedEndpoint,
} from "./owner/webhooks/endpoints.ts";
export type { EventListInput, EventRef, OwnerEvent, OwnerEvents } from "./owner/webhooks/events.ts";
export type { Endpoint } from "./owner/webhooks/shown-endpoint.ts";
export type { CheckoutPage } from "./pages/checkout-page.ts";
export type { CheckoutPageOptions } from "./pages/page-options.ts";
export type { CheckoutTexts, TextName } from "./pages/texts/text-names.ts";
export type { ActorServices } from "./payments/actor-services.ts";
export type {
  CheckoutHold,
  CheckoutService,
  CheckoutView,
  RecurringPayment,
  SubmitResult,
} from "./payments/checkout/checkout-service.ts";
export type { StepOptions } from "./payments/context.ts";
export type {
  PaymentCustomer,
  PaymentGateway,
  PaymentMetadata,
  PaymentQuery,
  PaymentRequest,
  RefundQuery,
  RefundRequest,
} from "./payments/gateway/gateway.ts";
export type { GatewayMessage } from "./payments/gateway/gateway-message.ts";
export type {
  DisputeClosedFact,
  DisputeOpenedFact,
  GatewayNotification,
  PaymentFact,
  PaymentResult,
  RefundFact,
  RefundResult as GatewayRefund,
  UnreadFact,
} from "./payments/gateway/gateway-results.ts";
export type {
  CancelInput,
  CloseDisputeInput,
  CompleteInput,
  DisputeInput,
  HoldInput,
  MarkFailedInput,
  MarkPaidInput,
  PartitionInput,
  RefundInput,
  RefundListInput,
  RenewalFailedInput,
  RenewInput,
  SubmitInput,
  SubscriptionListInput,
} from "./payments/inputs.ts";
export type { MaintenanceReport } from "./payments/maintenance/maintenance.ts";
export type { JobName } from "./payments/maintenance/maintenance-jobs.ts";
export type { MaintenanceOptions } from "./payments/maintenance/maintenance-options.ts";
export type { JobReport } from "./payments/maintenance/maintenance-slices.ts";
export type { NotificationMessage, NotificationResult } from "./payments/notifications.ts";
export type { OrderService } from "./payments/order-service.ts";
export type { RefundService } from "./payments/refunds/refund-service.ts";
export type { RefundResult } from "./payments/refunds/refunds.ts";
export {
  type SandboxOptions,
  sandboxGateway,
  sandboxNotification,
} from "./payments/sandbox/sandbox-gateway.ts";
export { type SandboxOutcome, sandboxOutcomes } from "./payments/sandbox/sandbox-outcomes.ts";
export type { RenewalOutcome, SubscriptionService } from "./payments/subscription-service.ts";
export type {
  CustomerTokenKey,
  CustomerTokenOptions,
  HostTokenOptions,
  IssuedToken,
  OwnTokenOptions,
  TokenRequest,
} from "./payments/tokens/buyer-tokens.ts";
export type { CustomerService } from "./payments/tokens/customer-service.ts";
export type { VerifiedBuyer, VerifyToken } from "./payments/tokens/host-tokens.ts";
export type { MappedClaims, RemoteTokenOptions } from "./payments/tokens/remote-tokens.ts";
export type { AuditSubject, AuditSubjectType } from "./rules/audit/audit-records.ts";
export type { Buyer, BuyerTokens } from "./rules/checkout/buyer.ts";
export type { ExternalSession } from "./rules/checkout/checkout-urls.ts";
export type { PaymentOutcome, SessionOutcome } from "./rules/orders/outcomes.ts";
export type { DisputeStatus } from "./rules/owner/list-records.ts";
export type { NextAction } from "./rules/payments/next-action.ts";
export type { AttemptFailure } from "./rules/payments/payment-records.ts";
export type { OrderPayment } from "./rules/payments/render-payment.ts";
export type { AlertRecord, Partition } from "./rules/records.ts";
export type { Refund } from "./rules/refunds/render-refund.ts";
export type { IdempotencyOutcome } from "./rules/request-log/request-log-entries.ts";
export type { DeliveryState } from "./rules/webhooks/webhook-records.ts";
export type { Hit, HitResult, LimitStore } from "./storage/limit-store.ts";
export type {
  CatalogSource,
  SourceCartProduct,
  SourceListQuery,
  SourceProduct,
  SourceReservation,
} from "./storage/reads/catalog-source.ts";
export type { Storage } from "./storage/types.ts";
export { createStorefront, type Storefront } from "./storefront.ts";
export type { ConsumeOptions } from "./webhooks/consume.ts";
export type { DrainOptions, DrainReport } from "./webhooks/drain/drain.ts";
export type { EventLag, LagOptions } from "./webhooks/event-lag.ts";
export type { RelayedEvent, RelayOptions } from "./webhooks/relay.ts";
export type {
  SendErrorClass,
  Sent,
  WebhookPost,
  WebhookTransport,
} from "./webhooks/send/transport.ts";
export type { TestSent } from "./webhooks/test-event.ts";
