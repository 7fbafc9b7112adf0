// `vitrine/gateway` gives what the author of a payment gateway needs.
export type { NotificationEndpoint } from "../http/notifications/notifications.ts";
export type {
  AgreementQuery,
  KeptPlan,
  PaymentCustomer,
  PaymentGateway,
  PaymentMetadata,
  PaymentQuery,
  PaymentRequest,
  RecurringTerms,
  RefundQuery,
  RefundRequest,
  SavedChargeRequest,
  SavedMethodQuery,
} from "../payments/gateway/gateway.ts";
export type { GatewayMessage } from "../payments/gateway/gateway-message.ts";
export type {
  Agreement,
  AgreementFact,
  DisputeClosedFact,
  DisputeOpenedFact,
  GatewayNotification,
  GatewayRefund,
  PaymentFact,
  PaymentResult,
  RefundFact,
  SavedMethod,
  SavedMethodGoneFact,
  UnreadFact,
} from "../payments/gateway/gateway-results.ts";
export type {
  ElementFacts,
  ElementOutcome,
  PaymentElement,
} from "../payments/gateway/payment-element.ts";
export type { NotificationMessage, NotificationResult } from "../payments/notifications.ts";
export { type SandboxOptions, sandboxNotification } from "../payments/sandbox/sandbox-gateway.ts";
export {
  type SandboxOutcome,
  type SandboxRenewal,
  sandboxOutcomes,
  sandboxRenewals,
} from "../payments/sandbox/sandbox-outcomes.ts";
export type { PaymentOutcome } from "../rules/orders/outcomes.ts";
export type { PaymentFee } from "../rules/payments/fees/payment-fee.ts";
export type { NextAction } from "../rules/payments/next-action.ts";
export type { AttemptFailure } from "../rules/payments/payment-records.ts";
export type { OrderPayment } from "../rules/payments/render-payment.ts";
