import { accessCases } from "./access.ts";
import type { StorageCase } from "./case.ts";
import { catalogCases } from "./catalog.ts";
import { checkoutCases } from "./checkout.ts";
import { limitCases } from "./limits.ts";
import { moneyCases } from "./money.ts";
import { orderCases } from "./orders.ts";
import { valueCases } from "./values.ts";
import { webhookEndpointCases } from "./webhook-endpoints.ts";
import { webhookEngineCases } from "./webhook-engine.ts";
import { webhookCases } from "./webhooks.ts";

/** Every rule of the storage port, concurrency included. Run each case on a fresh, migrated storage. */
export const storageSuite: readonly StorageCase[] = [
  ...accessCases,
  ...catalogCases,
  ...checkoutCases,
  ...orderCases,
  ...moneyCases,
  ...webhookCases,
  ...webhookEngineCases,
  ...webhookEndpointCases,
  ...limitCases,
  ...valueCases,
];
