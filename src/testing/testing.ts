/**
 * `vitrine/testing` has a shop for your own tests, and the conformance suites for a
 * storage or a gateway of your own.
 */
export type { Assert, CaseContext, StorageCase, SuiteCase } from "./conformance/fixtures/case.ts";
export { runStorageCase } from "./conformance/fixtures/run.ts";
export { storageSuite } from "./conformance/suite.ts";
export type {
  GatewayCase,
  GatewayContext,
  GatewayInput,
  ProviderMessages,
} from "./gateway/case.ts";
export { type GatewayUnderTest, runGatewayCase } from "./gateway/run.ts";
export { gatewaySuite } from "./gateway/suite.ts";
export { createTestShop } from "./harness.ts";
export type { DeliverTo, TestShop, TestShopOptions } from "./harness-types.ts";
export type {
  CallOptions,
  CancelOptions,
  CheckoutItem,
  CheckoutOptions,
  DisputeOptions,
  PayOptions,
  RefundOptions,
  RenewOptions,
} from "./step-inputs.ts";
