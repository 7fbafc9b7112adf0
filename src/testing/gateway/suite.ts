import type { GatewayCase } from "./case.ts";
import { gatewayMessageCases } from "./messages.ts";
import { gatewayPaymentCases } from "./payments.ts";
import { gatewayRefundCases } from "./refunds.ts";
import { gatewaySavedCases } from "./saved.ts";

/**
 * Lists the rules of the gateway port, for the author of a gateway.
 * `runGatewayCase` runs one case.
 */
export const gatewaySuite: readonly GatewayCase[] = [
  ...gatewayPaymentCases,
  ...gatewayRefundCases,
  ...gatewaySavedCases,
  ...gatewayMessageCases,
];
