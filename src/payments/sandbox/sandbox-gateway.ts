import { lazyService } from "../../domain/async/lazy-service.ts";
import { invalidOption } from "../../input/option-error.ts";
import { refuseWrongOptions } from "../../input/option-kinds.ts";
import type { PaymentGateway } from "../gateway/gateway.ts";
import type { GatewayNotification } from "../gateway/gateway-results.ts";
import type { SandboxPayments } from "./sandbox-payments.ts";

/** Configures the sandbox. */
export interface SandboxOptions {
  /**
   * The secret with which `sandboxNotification` signs. With it `checkout.handleNotification` reads
   * such messages for the gateway `sandbox`; without it the gateway reads none.
   */
  readonly notificationSecret?: string | undefined;
  /**
   * The buyer pays a Pix code or a voucher `ms` milliseconds after the payment
   * began, by the clock `now` in epoch milliseconds. Without it the first look-up
   * finds the code paid.
   */
  readonly codesPaidAfter?: { readonly ms: number; readonly now: () => number } | undefined;
}

/**
 * Makes a gateway that moves no money. It is for test mode: `createStorefront`
 * refuses it in live mode. A repeated call with the same `id` gives the same
 * answer. A payment of `pending_…` or `timeout` gets its result from `getPayment`,
 * which `checkout.resume` and `runMaintenance` call, or from a notification. The
 * gateway keeps 10,000 payments in memory and forgets them with the process;
 * `getPayment` can still read a forgotten one from its reference.
 */
export function sandboxGateway(options: SandboxOptions = {}): PaymentGateway {
  refuseWrongOptions(options, {
    notificationSecret: "string",
    codesPaidAfter: { ms: true, now: "function" },
  });
  const { notificationSecret, codesPaidAfter } = options;
  if (notificationSecret === "") invalidOption("notificationSecret", "must not be empty");
  const calls = lazyService<SandboxPayments>(async () => {
    const { createSandboxPayments } = await import("./sandbox-payments.ts");
    return createSandboxPayments({ notificationSecret: notificationSecret ?? "", codesPaidAfter });
  });

  return {
    id: "sandbox",
    livemode: false,
    methods: () => [
      { type: "pix", name: "Pix (sandbox)" },
      { type: "card", name: "Card (sandbox)" },
    ],
    createPayment: (request) => calls.createPayment(request),
    saveMethod: (request) => calls.saveMethod(request),
    chargeSaved: (request) => calls.chargeSaved(request),
    forgetSaved: (query) => calls.forgetSaved(query),
    getPayment: (query) => calls.getPayment(query),
    cancelPayment: (query) => calls.cancelPayment(query),
    refund: (request) => calls.refund(request),
    getRefund: (query) => calls.getRefund(query),
    ...(notificationSecret !== undefined && {
      parseNotification: (message) => calls.parseNotification(message),
    }),
  };
}

/**
 * Makes the message that a provider would send to the host. Pass it to
 * `checkout.handleNotification("sandbox", …)`.
 */
export async function sandboxNotification(
  secret: string,
  notification: GatewayNotification,
): Promise<{
  readonly livemode: false;
  readonly url: string;
  readonly body: Uint8Array;
  header(name: string): string | undefined;
}> {
  const body = new TextEncoder().encode(JSON.stringify(notification));
  const { signatureHeader, signMessage } = await import("./sandbox-payments.ts");
  const signature = await signMessage(secret, body);

  return {
    livemode: false,
    url: "https://sandbox.example.com/notifications",
    body,
    header: (name) => (name.toLowerCase() === signatureHeader ? signature : undefined),
  };
}
