export { ApiError, type ErrorCode, isApiError, type PublicErrorCode } from "./contract/errors.ts";
export { type EventType, eventTypes, type WebhookEvent } from "./contract/events.ts";
export { type Operation, paths } from "./contract/paths.ts";
export type {
  CheckoutSession,
  Customer,
  Order,
  PaymentMethod,
  Product,
  Store,
  Subscription,
} from "./contract/schemas.ts";
export type { Logger } from "./domain/logger.ts";
export type { Limit } from "./http/context.ts";
export type { NotificationEndpoint } from "./http/notifications.ts";
export type {
  DeliveryEnd,
  DeliveryStart,
  IdempotencyOutcome,
  Observer,
  RequestEnd,
  RequestStart,
} from "./http/observer.ts";
export type { Serve, WireReply, WireRequest } from "./http/wire.ts";
export { memoryStorage } from "./memory/memory-storage.ts";
export type { StorefrontOptions } from "./options.ts";
export type { CheckoutPage } from "./pages/checkout-page.ts";
export type { CheckoutPageOptions } from "./pages/page-options.ts";
export type { CheckoutTexts } from "./pages/text-names.ts";
export type {
  CustomerTokenKey,
  CustomerTokenOptions,
  IssuedToken,
  OwnTokenOptions,
  TokenRequest,
} from "./payments/buyer-tokens.ts";
export type {
  CheckoutHold,
  CheckoutService,
  CheckoutView,
  SubmitResult,
} from "./payments/checkout-service.ts";
export type { StepOptions } from "./payments/context.ts";
export type {
  GatewayMessage,
  GatewayNotification,
  PaymentCustomer,
  PaymentGateway,
  PaymentMetadata,
  PaymentQuery,
  PaymentRequest,
  PaymentResult,
  RefundQuery,
  RefundRequest,
  RefundResult as GatewayRefund,
} from "./payments/gateway.ts";
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
export type { MaintenanceOptions } from "./payments/maintenance-options.ts";
export type { NotificationResult } from "./payments/notifications.ts";
export type { OrderService } from "./payments/order-service.ts";
export type { RefundService } from "./payments/refund-service.ts";
export type { RefundResult } from "./payments/refunds.ts";
export type { MappedClaims, RemoteTokenOptions } from "./payments/remote-tokens.ts";
export type { OrderPayment } from "./payments/returns.ts";
export {
  type SandboxOptions,
  type SandboxOutcome,
  sandboxGateway,
  sandboxNotification,
  sandboxOutcomes,
} from "./payments/sandbox-gateway.ts";
export type { RenewalOutcome, SubscriptionService } from "./payments/subscription-service.ts";
export type { BuyerTokens } from "./rules/buyer.ts";
export type { ExternalSession } from "./rules/checkout-urls.ts";
export type { NextAction } from "./rules/next-action.ts";
export type { Refund } from "./rules/render-refund.ts";
export type {
  CatalogSource,
  SourceCartProduct,
  SourceListQuery,
  SourceProduct,
  SourceReservation,
} from "./storage/catalog-source.ts";
export type { LimitStore, Storage } from "./storage/types.ts";
export { type CustomerService, createStorefront, type Storefront } from "./storefront.ts";
export type { ConsumeOptions } from "./webhooks/consume.ts";
export type { DrainOptions, DrainReport } from "./webhooks/drain.ts";
export type { EventLag, LagOptions } from "./webhooks/event-lag.ts";
export type { RelayedEvent, RelayOptions } from "./webhooks/relay.ts";
export type { Sent, WebhookPost, WebhookTransport } from "./webhooks/transport.ts";
