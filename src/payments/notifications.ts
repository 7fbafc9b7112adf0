import { fail } from "../contract/errors.ts";
import { applyPaymentResult } from "./apply-payment.ts";
import type { PaymentContext } from "./context.ts";
import { checkResult, findGateway } from "./gateway-calls.ts";

export interface NotificationMessage {
  readonly livemode: boolean;
  /** The body as it was received: signatures are made over these bytes. */
  readonly body: Uint8Array;
  header(name: string): string | undefined;
}

export interface NotificationResult {
  /**
   * `applied`: the payment changed. `unchanged`: the notification is a repeat, or changes nothing.
   * `ignored`: the gateway says that the message is not ours. `unknown_payment`: no payment of this
   * reference is known yet, so the provider should send the message again.
   */
  readonly outcome: "applied" | "unchanged" | "ignored" | "unknown_payment";
  readonly order_id: string | null;
}

/**
 * A notification names no store. The payment attempt does, which is found by the gateway's
 * reference, or by our own id when the notification arrives before the answer with the reference.
 */
export async function handleNotification(
  ctx: PaymentContext,
  gateway_id: string,
  { livemode, body, header }: NotificationMessage,
): Promise<NotificationResult> {
  const gateway = findGateway(ctx, gateway_id, livemode);
  if (!gateway?.parseNotification)
    return fail("gateway_error", {
      message: "No gateway of that id and mode that reads notifications is configured.",
    });

  const notification = checkResult(gateway, await gateway.parseNotification({ body, header }));
  if (!notification) return { outcome: "ignored", order_id: null };

  const { reference, payment_id = null, notification_id } = notification;
  const names = { reference, id: payment_id };
  const attempt = await ctx.storage.orders.findAttempt(gateway_id, livemode, names);
  if (!attempt) {
    ctx.logger?.warn(
      { gateway: gateway_id, notification_id },
      "vitrine: a notification names a payment that is not known",
    );
    return { outcome: "unknown_payment", order_id: null };
  }

  const { order_id } = attempt;
  const applied = await applyPaymentResult(ctx, attempt, notification, notification_id);
  if (applied.outcome !== "unchanged") return { outcome: "applied", order_id };

  ctx.logger?.info(
    { gateway: gateway_id, notification_id, order_id },
    "vitrine: a notification changed nothing",
  );
  return { outcome: "unchanged", order_id };
}
