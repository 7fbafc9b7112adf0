import { fail } from "../../contract/errors.ts";
import type { RefundReport } from "../../rules/refunds/refund-commands.ts";
import type { PaymentGateway } from "./gateway.ts";
import type { GatewayRefund } from "./gateway-results.ts";
import { isAmount, isName, isText } from "./stored-values.ts";

/**
 * Reads a refund's answer. It refuses a status that is not in the type: a gateway
 * written in plain JavaScript can return one. Such an answer counts as none. A bad
 * field beside the status costs only itself.
 */
export function readRefund(
  gateway: PaymentGateway,
  answer: GatewayRefund | undefined,
): RefundReport {
  const status = answer?.status;
  if (!answer || (status !== "succeeded" && status !== "pending" && status !== "failed"))
    return fail("invalid_gateway_result", {
      message: `Gateway ${gateway.id} gave a refund that is not succeeded, pending or failed.`,
    });

  const { reference, amount, failure_reason } = answer;
  return {
    status,
    reference: isName(reference) ? reference : null,
    amount: isAmount(amount) && amount > 0 ? amount : null,
    failure_reason: isText(failure_reason) ? failure_reason : null,
  };
}

/**
 * Reads the answer to a creation. The refusal of a repeat proves nothing about the
 * creation before it, whose answer was lost: a provider refuses a second refund of
 * money that it is sending back already.
 */
export const reportOfCreation = (
  report: RefundReport,
  repeat: boolean,
): RefundReport | "no_answer" =>
  repeat && report.status === "failed" && report.reference === null ? "no_answer" : report;
