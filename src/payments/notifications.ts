import { fail } from "../contract/errors.ts";
import { applyPaymentResult, checkResult, findGateway } from "./charge.ts";
import type { PaymentContext } from "./context.ts";

export interface NotificationResult {
  /**
   * `ignored`: the gateway says it is none of ours. `unknown_payment`: nothing is known by that reference (yet): let the provider send it again.
   * `applied`: it changed something. `unchanged`: it had been seen, or changes nothing in the order's state.
   */
  readonly outcome: "applied" | "unchanged" | "ignored" | "unknown_payment";
  readonly order_id: string | null;
}

/** Finds its store through the attempt's gateway reference, or through our own id when it overtakes the answer that brings the reference. */
export async function handleNotification(
  ctx: PaymentContext,
  gateway_id: string,
  {
    livemode,
    body,
    header,
  }: {
    readonly livemode: boolean;
    readonly body: Uint8Array;
    header(name: string): string | undefined;
  },
): Promise<NotificationResult> {
  const gateway = findGateway(ctx, gateway_id, livemode);
  if (!gateway?.parseNotification)
    return fail("gateway_error", {
      message: "No gateway of that id and mode that reads notifications is configured.",
    });
  const notification = checkResult(gateway, await gateway.parseNotification({ body, header }));
  if (!notification) return { outcome: "ignored", order_id: null };
  const { reference, payment_id = null, notification_id } = notification;
  const attempt = await ctx.storage.orders.findAttempt(gateway_id, livemode, {
    reference,
    id: payment_id,
  });
  if (!attempt) {
    ctx.logger?.warn(
      { gateway: gateway_id, notification_id },
      "vitrine: a notification names a payment that is not known",
    );
    return { outcome: "unknown_payment", order_id: null };
  }
  const applied = await applyPaymentResult(ctx, attempt, notification, notification_id);
  if (applied.outcome === "unchanged")
    ctx.logger?.info(
      { gateway: gateway_id, notification_id, order_id: attempt.order_id },
      "vitrine: a notification changed nothing",
    );
  return {
    outcome: applied.outcome === "unchanged" ? "unchanged" : "applied",
    order_id: attempt.order_id,
  };
}
