// This file is compiled by `npm run check types` and never run. Marked lines must not compile.
import type { ApiError, Order, WebhookEvent } from "vitrine";
import { verifyWebhook } from "vitrine/webhooks";

type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function receiver(rawBody: Uint8Array): Promise<Order | null> {
  const verdict = await verifyWebhook({ rawBody, header: null, secret: "whsec_…" });
  // @ts-expect-error nothing is known before the verdict is looked at
  void verdict.event;
  if (!verdict.ok) {
    same<Extract<typeof verdict.reason, "body_not_raw">, "body_not_raw">(true);
    return null;
  }
  same<typeof verdict.event, WebhookEvent>(true);
  switch (verdict.event.type) {
    case "order.paid":
      return verdict.event.data.order;
    case "order.chargeback":
      same<typeof verdict.event.data.dispute.due_by, string | null>(true);
      return verdict.event.data.order;
    default:
      return null; // A later version can have more types.
  }
}

export const codes = (error: ApiError): boolean => error.code === "insufficient_stock";
