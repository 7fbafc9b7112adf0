import type { PaymentGateway } from "../gateway/gateway.ts";
import type { GatewayRefund } from "../gateway/gateway-results.ts";
import { forgetOldest } from "./sandbox-memory.ts";

interface RefundedPayment {
  /** In minor units. */
  readonly amount: number;
  /** True means that its refunds are taken, and fail afterwards. */
  readonly fails_later: boolean;
}

/**
 * Makes refunds of the sandbox. They never exceed the payment, whose amount its
 * reference tells.
 */
export function sandboxRefunds(
  paymentOf: (reference: string) => RefundedPayment | null,
): Required<Pick<PaymentGateway, "refund" | "getRefund">> {
  const refunds = new Map<string, GatewayRefund>();
  /** The minor units that went back, by the reference of their payment. */
  const refunded = new Map<string, number>();

  return {
    async refund({ id, reference, amount }) {
      const known = refunds.get(id);
      if (known) return known;

      const before = refunded.get(reference) ?? 0;
      const result = newRefund(id, before + amount, paymentOf(reference));
      if (result.status === "succeeded") refunded.set(reference, before + amount);
      refunds.set(id, result);
      forgetOldest(refunded);
      forgetOldest(refunds);
      return result;
    },

    async getRefund({ id }) {
      const known = refunds.get(id) ?? null;
      if (known?.status !== "pending") return known;
      return { ...known, status: "failed", failure_reason: "The account is closed." };
    },
  };
}

/** Makes a refund. `sum` is what would have gone back with this refund. */
function newRefund(id: string, sum: number, payment: RefundedPayment | null): GatewayRefund {
  if (payment && sum > payment.amount)
    return { status: "failed", reference: null, failure_reason: "The payment has less left." };

  const status = payment?.fails_later ? "pending" : "succeeded";
  return { status, reference: `sandbox_${id}` };
}
