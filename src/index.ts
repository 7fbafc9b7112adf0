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
export type { IdKind } from "./domain/ids.ts";
export type { Logger } from "./domain/logger.ts";
export type { PluralForms } from "./domain/plural.ts";
export type { Limit } from "./http/context.ts";
export { exportReply } from "./http/export-reply.ts";
export type { NotificationEndpoint } from "./http/notifications.ts";
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
} from "./http/observer.ts";
export type { LoggedBodies } from "./http/request-log-settings.ts";
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
} from "./owner/categories.ts";
export type { CouponUse, CouponUseCount, CouponUseListInput } from "./owner/coupon-uses.ts";
export type { CouponChanges, CouponInput, OwnerCoupon, OwnerCoupons } from "./owner/coupons.ts";
export type {
  OwnerCustomer,
  OwnerCustomerDetails,
  OwnerCustomerQuery,
  OwnerCustomerRef,
  OwnerCustomers,
} from "./owner/customers.ts";
export type {
  Delivery,
  DeliveryAttempt,
  DeliveryDetails,
  DeliveryQuery,
  DeliveryRef,
  OwnerDeliveries,
} from "./owner/deliveries.ts";
export type { DisputeListInput, OwnerDispute, OwnerDisputes } from "./owner/disputes.ts";
export type { EndpointAttempts, EndpointHealthReport } from "./owner/endpoint-health.ts";
export type {
  EnableInput,
  EndpointChanges,
  EndpointInput,
  RecoveryInput,
  RotationInput,
} from "./owner/endpoint-input.ts";
export type {
  CreatedEndpoint,
  OwnerEndpoints,
  Recovered,
  RotatedEndpoint,
} from "./owner/endpoints.ts";
export type { EventListInput, EventRef, OwnerEvent, OwnerEvents } from "./owner/events.ts";
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
export type {
  OwnerAttempt,
  OwnerMoney,
  OwnerTimelineEntry,
  TimelineEvent,
} from "./owner/order-timeline.ts";
export type {
  OwnerNote,
  OwnerNoteInput,
  OwnerNoteQuery,
  OwnerOrder,
  OwnerOrderQuery,
  OwnerOrderRef,
  OwnerOrders,
} from "./owner/orders.ts";
export type { Owner } from "./owner/owner.ts";
export type { PageQuery } from "./owner/page.ts";
export type {
  OwnerPaymentMethod,
  OwnerPaymentMethods,
  PaymentMethodChanges,
  PaymentMethodInput,
} from "./owner/payment-methods.ts";
export type { OwnerPayment, OwnerPayments, PaymentListInput } from "./owner/payments.ts";
export type {
  OwnerProductQuery,
  ProductChanges,
  ProductInput,
  ProductPut,
} from "./owner/product-input.ts";
export type { StockLeft, StockQuery } from "./owner/product-stock.ts";
export type { OwnerProduct, OwnerProducts } from "./owner/products.ts";
export type { OwnerRefundListInput, OwnerRefunds } from "./owner/refunds.ts";
export type {
  OwnerRequest,
  OwnerRequests,
  RequestListInput,
  RequestRef,
} from "./owner/requests.ts";
export type { OwnerSession, OwnerSessions, SessionListInput } from "./owner/sessions.ts";
export type { Endpoint } from "./owner/shown-endpoint.ts";
export type {
  DeliveryNumbers,
  DeliveryPoint,
  OwnerStats,
  SessionNumbers,
  SessionPoint,
  StatsNumbers,
  StatsPoint,
  StatsQuery,
} from "./owner/stats.ts";
export type {
  OwnerStore,
  OwnerStores,
  StoreChanges,
  StoreInput,
  StoreQuery,
} from "./owner/stores.ts";
export type { OwnerSubscriptionListInput, OwnerSubscriptions } from "./owner/subscriptions.ts";
export type { CheckoutPage } from "./pages/checkout-page.ts";
export type { CheckoutPageOptions } from "./pages/page-options.ts";
export type { CheckoutTexts, TextName } from "./pages/text-names.ts";
export type { ActorServices } from "./payments/actor-services.ts";
export type {
  CustomerTokenKey,
  CustomerTokenOptions,
  HostTokenOptions,
  IssuedToken,
  OwnTokenOptions,
  TokenRequest,
} from "./payments/buyer-tokens.ts";
export type {
  CheckoutHold,
  CheckoutService,
  CheckoutView,
  RecurringPayment,
  SubmitResult,
} from "./payments/checkout-service.ts";
export type { StepOptions } from "./payments/context.ts";
export type { CustomerService } from "./payments/customer-service.ts";
export type {
  PaymentCustomer,
  PaymentGateway,
  PaymentMetadata,
  PaymentQuery,
  PaymentRequest,
  RefundQuery,
  RefundRequest,
} from "./payments/gateway.ts";
export type { GatewayMessage } from "./payments/gateway-message.ts";
export type {
  DisputeClosedFact,
  DisputeOpenedFact,
  GatewayNotification,
  PaymentFact,
  PaymentResult,
  RefundFact,
  RefundResult as GatewayRefund,
  UnreadFact,
} from "./payments/gateway-results.ts";
export type { VerifiedBuyer, VerifyToken } from "./payments/host-tokens.ts";
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
export type { MaintenanceReport } from "./payments/maintenance.ts";
export type { JobName } from "./payments/maintenance-jobs.ts";
export type { MaintenanceOptions } from "./payments/maintenance-options.ts";
export type { JobReport } from "./payments/maintenance-slices.ts";
export type { NotificationMessage, NotificationResult } from "./payments/notifications.ts";
export type { OrderService } from "./payments/order-service.ts";
export type { RefundService } from "./payments/refund-service.ts";
export type { RefundResult } from "./payments/refunds.ts";
export type { MappedClaims, RemoteTokenOptions } from "./payments/remote-tokens.ts";
export {
  type SandboxOptions,
  sandboxGateway,
  sandboxNotification,
} from "./payments/sandbox-gateway.ts";
export { type SandboxOutcome, sandboxOutcomes } from "./payments/sandbox-outcomes.ts";
export type { RenewalOutcome, SubscriptionService } from "./payments/subscription-service.ts";
export type { AuditSubject, AuditSubjectType } from "./rules/audit-records.ts";
export type { Buyer, BuyerTokens } from "./rules/buyer.ts";
export type { ExternalSession } from "./rules/checkout-urls.ts";
export type { DisputeStatus } from "./rules/list-records.ts";
export type { NextAction } from "./rules/next-action.ts";
export type { PaymentOutcome, SessionOutcome } from "./rules/outcomes.ts";
export type { AttemptFailure } from "./rules/payment-records.ts";
export type { AlertRecord, Partition } from "./rules/records.ts";
export type { OrderPayment } from "./rules/render-payment.ts";
export type { Refund } from "./rules/render-refund.ts";
export type { IdempotencyOutcome } from "./rules/request-log-entries.ts";
export type { DeliveryState } from "./rules/webhook-records.ts";
export type {
  CatalogSource,
  SourceCartProduct,
  SourceListQuery,
  SourceProduct,
  SourceReservation,
} from "./storage/catalog-source.ts";
export type { Hit, HitResult, LimitStore } from "./storage/limit-store.ts";
export type { Storage } from "./storage/types.ts";
export { createStorefront, type Storefront } from "./storefront.ts";
export type { ConsumeOptions } from "./webhooks/consume.ts";
export type { DrainOptions, DrainReport } from "./webhooks/drain.ts";
export type { EventLag, LagOptions } from "./webhooks/event-lag.ts";
export type { RelayedEvent, RelayOptions } from "./webhooks/relay.ts";
export type { TestSent } from "./webhooks/test-event.ts";
export type { SendErrorClass, Sent, WebhookPost, WebhookTransport } from "./webhooks/transport.ts";
