export {
  ApiError,
  type ErrorCode,
  type ErrorDetails,
  isApiError,
  type PublicErrorCode,
} from "./contract/errors.ts";
export { type EventType, eventTypes, type WebhookEvent } from "./contract/events.ts";
export type { LimitName } from "./contract/route.ts";
export type { Page } from "./contract/routes.ts";
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
export type { Logger } from "./domain/logger.ts";
export type { PluralForms } from "./domain/plural.ts";
export type { Limit } from "./http/context.ts";
export { memoryStorage } from "./memory/memory-storage.ts";
export type { ModeUrls, StorefrontOptions } from "./options.ts";
export type { CheckoutPage } from "./pages/checkout-page.ts";
export type { CheckoutPageOptions } from "./pages/page-options.ts";
export type { CheckoutTexts, TextName } from "./pages/texts/text-names.ts";
export { sandboxGateway } from "./payments/sandbox/sandbox-gateway.ts";
export type { CustomerTokenOptions } from "./payments/tokens/buyer-tokens.ts";
export type { ExternalSession } from "./rules/checkout/checkout-urls.ts";
export type { AlertRecord } from "./rules/records.ts";
export type { Refund } from "./rules/refunds/render-refund.ts";
export type {
  CatalogSource,
  SourceCartProduct,
  SourceListQuery,
  SourceProduct,
  SourceReservation,
} from "./storage/reads/catalog-source.ts";
export type { Storage } from "./storage/types.ts";
export { createStorefront, type Storefront } from "./storefront.ts";
