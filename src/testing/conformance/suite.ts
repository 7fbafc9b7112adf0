import { addressCases } from "./addresses.ts";
import { alertCases } from "./alerts.ts";
import { archiveCases } from "./archive.ts";
import { auditCases } from "./audit.ts";
import { backOfficeCases } from "./back-office.ts";
import { catalogCases } from "./catalog/catalog.ts";
import { categoryCases } from "./catalog/categories.ts";
import { couponCases } from "./catalog/coupons.ts";
import { facetCases } from "./catalog/facets.ts";
import { groupWriteCases } from "./catalog/group-writes.ts";
import { groupCases } from "./catalog/groups.ts";
import { ownProductCases } from "./catalog/own-products.ts";
import { productCases } from "./catalog/products.ts";
import { searchCases } from "./catalog/search.ts";
import { stockCases } from "./catalog/stock.ts";
import { checkoutCases } from "./checkout/checkout.ts";
import { draftCases } from "./checkout/checkout-drafts.ts";
import { holdCases } from "./checkout/holds.ts";
import { limitCases } from "./checkout/limits.ts";
import { sessionChangeCases } from "./checkout/session-changes.ts";
import { sessionDayCases } from "./checkout/session-days.ts";
import { submissionCases } from "./checkout/submissions.ts";
import { dashboardCases } from "./dashboard/dashboard.ts";
import { dashboardMakerCases } from "./dashboard/dashboard-makers.ts";
import { peopleCases } from "./dashboard/people.ts";
import type { StorageCase, SuiteCase } from "./fixtures/case.ts";
import { valueCases } from "./fixtures/values.ts";
import { forgottenCases } from "./forgotten.ts";
import { gaugeCases } from "./gauges.ts";
import { keyCases } from "./keys.ts";
import { customersBySpentCases } from "./money/customers-by-spent.ts";
import { disputeCases } from "./money/disputes.ts";
import { entitlementCases } from "./money/entitlements.ts";
import { keyPoolCases } from "./money/key-pools.ts";
import { maintenanceCases } from "./money/maintenance.ts";
import { moneyListCases } from "./money/money-lists.ts";
import { movedMoneyCases } from "./money/moved-money.ts";
import { orderCases } from "./money/orders.ts";
import { paymentCases } from "./money/payments.ts";
import { refundCases } from "./money/refunds.ts";
import { renewalCases } from "./money/renewals.ts";
import { returnCases } from "./money/returns.ts";
import { saleNameCases } from "./money/sale-names.ts";
import { subscriptionCases } from "./money/subscriptions.ts";
import { testClockCases } from "./money/test-clocks.ts";
import { unappliedMoneyCases } from "./money/unapplied-money.ts";
import { ownerListCases } from "./owner-lists.ts";
import { privacyCases } from "./privacy.ts";
import { requestCases } from "./requests.ts";
import { salesCases } from "./sales.ts";
import { statsCases } from "./stats.ts";
import { storeCases } from "./stores.ts";
import { turnedListCases } from "./turned-lists.ts";
import { consumerCases } from "./webhooks/consumers.ts";
import { webhookAttemptCases } from "./webhooks/webhook-attempts.ts";
import { webhookClaimCases } from "./webhooks/webhook-claims.ts";
import { webhookDeliveryCases } from "./webhooks/webhook-deliveries.ts";
import { webhookDrainCases } from "./webhooks/webhook-drains.ts";
import { webhookEndpointCases } from "./webhooks/webhook-endpoints.ts";
import { webhookPruningCases } from "./webhooks/webhook-pruning.ts";

/** The cases by the part of docs/storages.md that they judge, in the order in which it is built. */
const casesByPart: { readonly [Part in SuiteCase["part"]]: readonly (readonly StorageCase[])[] } = {
  "stores and keys": [storeCases, keyCases, addressCases, alertCases],
  catalog: [
    catalogCases,
    searchCases,
    categoryCases,
    productCases,
    facetCases,
    groupCases,
    groupWriteCases,
    ownProductCases,
  ],
  checkout: [
    checkoutCases,
    draftCases,
    sessionDayCases,
    limitCases,
    stockCases,
    couponCases,
    holdCases,
    sessionChangeCases,
    submissionCases,
  ],
  "orders and payments": [
    orderCases,
    paymentCases,
    refundCases,
    returnCases,
    unappliedMoneyCases,
    disputeCases,
    entitlementCases,
    keyPoolCases,
    subscriptionCases,
    renewalCases,
    maintenanceCases,
    testClockCases,
    moneyListCases,
    movedMoneyCases,
  ],
  "webhooks and consumers": [
    webhookEndpointCases,
    webhookDeliveryCases,
    webhookClaimCases,
    webhookAttemptCases,
    webhookDrainCases,
    webhookPruningCases,
    consumerCases,
  ],
  "the rest": [
    ownerListCases,
    turnedListCases,
    backOfficeCases,
    customersBySpentCases,
    statsCases,
    salesCases,
    saleNameCases,
    privacyCases,
    dashboardCases,
    dashboardMakerCases,
    peopleCases,
    requestCases,
    archiveCases,
    forgottenCases,
    auditCases,
    gaugeCases,
    valueCases,
  ],
};

/**
 * Lists every rule of the storage port, also under concurrent calls, part by part.
 * `runStorageCase` runs one case. Each needs a storage of its own, migrated and
 * without rows.
 */
export const storageSuite: readonly SuiteCase[] = Object.entries(casesByPart).flatMap(
  ([part, lists]) => lists.flat().map((each) => ({ ...each, part: part as SuiteCase["part"] })),
);
