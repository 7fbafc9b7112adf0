import { noteMethodGone } from "../../steps/subscription-steps.ts";
import { eventIds, type PaymentContext } from "../context.ts";
import type { GatewayNotification, SavedMethodGoneFact } from "../gateway/gateway-results.ts";

type GoneFact = SavedMethodGoneFact & Pick<GatewayNotification, "account">;

/** What became of the fact. `ignored` means that the payment is not known here. */
interface SavedMethodEnded {
  readonly outcome: "applied" | "unchanged" | "ignored";
  readonly order_id: string | null;
}

/**
 * Stops the charges of a saved method that its provider has ended. The provider names the payment
 * that saved it, and a subscription that another method pays by now is left.
 */
export async function endSavedMethod(
  ctx: PaymentContext,
  sender: { readonly gateway: string; readonly livemode: boolean },
  { payment_id, account = null }: GoneFact,
): Promise<SavedMethodEnded> {
  const { orders } = ctx.storage;
  const names = { ...sender, account, references: [], payment_id };
  const attempt = (await orders.findAttempts(names)).find(
    (found) =>
      found.id === payment_id &&
      found.gateway === sender.gateway &&
      found.livemode === sender.livemode &&
      found.account === account,
  );
  if (!attempt) return { outcome: "ignored", order_id: null };

  const { store_id, livemode, order_id } = attempt;
  const order = await orders.find("order", attempt, order_id);
  const subscription_id = order?.subscription_id ?? null;
  if (subscription_id === null) return { outcome: "unchanged", order_id };

  const { outcome } = await noteMethodGone(orders, {
    store_id,
    livemode,
    subscription_id,
    attempt_id: payment_id,
    ids: eventIds(ctx),
    now: ctx.now(),
  });
  if (outcome !== "stopped") return { outcome: "unchanged", order_id };
  ctx.committed({ store_id, livemode });
  return { outcome: "applied", order_id };
}
