import { createIds } from "../../domain/keys/ids.ts";
import type { PaymentQuery, PaymentRequest } from "../../payments/gateway/gateway.ts";
import type { GatewayCase, GatewayContext, GatewayInput } from "./case.ts";

const store_id = "str_test";
const waitMs = 3_600_000;

/** A gateway in its test mode, and the inputs that choose how a payment ends there. */
export interface GatewayUnderTest
  extends Pick<GatewayContext, "gateway" | "assert" | "now" | "succeeds" | "declines" | "waits">,
    Partial<Pick<GatewayContext, "messages">> {
  /** An ISO 4217 code, BRL by default. */
  readonly currency?: string | undefined;
  readonly method?: PaymentRequest["method"] | undefined;
  readonly account?: string | null | undefined;
}

/**
 * Runs one case of `gatewaySuite`. It rejects with what `assert` throws when the
 * gateway breaks the rule; `node:assert/strict` is one such `assert`.
 */
export async function runGatewayCase(
  gatewayCase: GatewayCase,
  tested: GatewayUnderTest,
): Promise<void> {
  const { currency = "BRL", method, account = null, messages = null, ...context } = tested;
  const now = () => context.now();
  const randomBytes = (length: number) => crypto.getRandomValues(new Uint8Array(length));
  const newId = createIds({ now, randomBytes });
  const { signal } = new AbortController();
  const call = { store_id, account, signal };

  const request = (input: GatewayInput, changes: Partial<PaymentRequest> = {}): PaymentRequest => {
    const id = newId("pay");
    const order_id = newId("ord");
    const amount = changes.amount ?? 1000;
    return {
      ...call,
      id,
      order_id,
      amount,
      currency,
      method: method ?? { id: "pm_test", type: "card" },
      description: "Order 1",
      customer: { id: "cus_1", email: null, name: null, country: null, tax_id: null },
      metadata: { store_id, livemode: false, order_id, session_id: "cs_1", payment_id: id },
      line_items: [{ name: "One", quantity: 1, amount_total: amount, image_url: null }],
      input,
      return_url: "https://shop.example.com/checkout/token",
      expires_at: now() + waitMs,
      ...changes,
    };
  };

  const query = ({ id }: PaymentRequest, changes: Partial<PaymentQuery> = {}): PaymentQuery => ({
    ...call,
    id,
    reference: null,
    payment_reference: null,
    created_at: now(),
    ...changes,
  });
  await gatewayCase.run({ ...context, messages, request, query });
}
