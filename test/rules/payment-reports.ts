import type { PaymentApplication } from "../../src/rules/orders/order-commands.ts";
import type { OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import type { AttemptRecord } from "../../src/rules/payments/payment-records.ts";
import { firstAttempt as first, pending, told } from "../payments/order-fixtures.ts";

export { first };

export const attempt = (changes: Partial<AttemptRecord> = {}): AttemptRecord => ({
  ...first,
  ...changes,
});

/** The pending order with these attempts. */
export const withAttempts = (...attempts: readonly AttemptRecord[]): OrderSnapshot => ({
  ...pending,
  attempts,
});

/** What a gateway tells of the attempt. */
export const report = (
  status: PaymentApplication["result"]["status"],
  result: Partial<PaymentApplication["result"]> = {},
  changes: Partial<PaymentApplication> = {},
): PaymentApplication => ({ ...told(status, result), ...changes });
