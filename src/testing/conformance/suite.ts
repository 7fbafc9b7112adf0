import { addressCases } from "./addresses.ts";
import { alertCases } from "./alerts.ts";
import { auditCases } from "./audit.ts";
import { backOfficeCases } from "./back-office.ts";
import type { StorageCase } from "./case.ts";
import { catalogCases } from "./catalog.ts";
import { categoryCases } from "./categories.ts";
import { checkoutCases } from "./checkout.ts";
import { draftCases } from "./checkout-drafts.ts";
import { consumerCases } from "./consumers.ts";
import { couponCases } from "./coupons.ts";
import { dashboardCases } from "./dashboard.ts";
import { dashboardMakerCases } from "./dashboard-makers.ts";
import { disputeCases } from "./disputes.ts";
import { gaugeCases } from "./gauges.ts";
import { holdCases } from "./holds.ts";
import { keyCases } from "./keys.ts";
import { limitCases } from "./limits.ts";
import { maintenanceCases } from "./maintenance.ts";
import { moneyListCases } from "./money-lists.ts";
import { orderCases } from "./orders.ts";
import { ownProductCases } from "./own-products.ts";
import { ownerListCases } from "./owner-lists.ts";
import { paymentCases } from "./payments.ts";
import { privacyCases } from "./privacy.ts";
import { productCases } from "./products.ts";
import { refundCases } from "./refunds.ts";
import { requestCases } from "./requests.ts";
import { returnCases } from "./returns.ts";
import { sessionDayCases } from "./session-days.ts";
import { statsCases } from "./stats.ts";
import { stockCases } from "./stock.ts";
import { storeCases } from "./stores.ts";
import { submissionCases } from "./submissions.ts";
import { subscriptionCases } from "./subscriptions.ts";
import { unappliedMoneyCases } from "./unapplied-money.ts";
import { valueCases } from "./values.ts";
import { webhookAttemptCases } from "./webhook-attempts.ts";
import { webhookClaimCases } from "./webhook-claims.ts";
import { webhookDeliveryCases } from "./webhook-deliveries.ts";
import { webhookDrainCases } from "./webhook-drains.ts";
import { webhookEndpointCases } from "./webhook-endpoints.ts";
import { webhookPruningCases } from "./webhook-pruning.ts";

/**
 * Lists every rule of the storage port, also under concurrent calls.
 * `runStorageCase` runs one case. Each needs a storage of its own, migrated and
 * without rows.
 */
export const storageSuite: readonly StorageCase[] = [
  ...storeCases,
  ...keyCases,
  ...addressCases,
  ...alertCases,
  ...catalogCases,
  ...categoryCases,
  ...productCases,
  ...stockCases,
  ...couponCases,
  ...checkoutCases,
  ...draftCases,
  ...sessionDayCases,
  ...holdCases,
  ...submissionCases,
  ...orderCases,
  ...paymentCases,
  ...refundCases,
  ...returnCases,
  ...unappliedMoneyCases,
  ...disputeCases,
  ...subscriptionCases,
  ...statsCases,
  ...maintenanceCases,
  ...moneyListCases,
  ...ownerListCases,
  ...ownProductCases,
  ...privacyCases,
  ...backOfficeCases,
  ...dashboardCases,
  ...dashboardMakerCases,
  ...requestCases,
  ...auditCases,
  ...consumerCases,
  ...webhookClaimCases,
  ...webhookDeliveryCases,
  ...webhookAttemptCases,
  ...webhookDrainCases,
  ...webhookEndpointCases,
  ...webhookPruningCases,
  ...gaugeCases,
  ...limitCases,
  ...valueCases,
];
