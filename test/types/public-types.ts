// Compiled by `npm run typecheck`, never run: what must compile, and (marked) what must not.
import type { ApiError, Order, WebhookEvent } from "vitrine";
import { type Client, createClient, isStorefrontError } from "vitrine/client";
import { verifyWebhook } from "vitrine/webhooks";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_: Same<A, B>): void => {};

export async function client(): Promise<void> {
  const api: Client = createClient({ baseUrl: "https://a.example.com/v1", key: "hk_test_pub_…" });
  const product = await api.getProduct({ id_or_slug: "coffee" });
  same<typeof product.price, number>(true);
  same<typeof product.description, string | null>(true);
  const page = await api.listProducts();
  same<typeof page.next_cursor, string | null>(true);
  const order = await api.getOrder({ id: "ord_1" });
  if (order.status === "paid") same<typeof order.number, number>(true);
  const later: typeof order.status = "a status of later"; // open: values may appear
  void later;
  await api.createCheckoutSession({ items: [{ product_id: "prod_1", quantity: 1 }], success_url: "https://a", cancel_url: "https://a" });
  // @ts-expect-error an id is needed
  await api.getOrder();
  // @ts-expect-error a limit is a number
  await api.listOrders({ limit: "20" });
  // @ts-expect-error no such filter
  await api.listOrders({ state: "paid" });
  // @ts-expect-error a session needs its return URLs
  await api.createCheckoutSession({ items: [{ product_id: "prod_1", quantity: 1 }] });
  // @ts-expect-error one order is not a list
  for await (const each of api.getOrder({ id: "ord_1" })) void each;
  for await (const event of api.listEvents()) if (event.type === "order.refunded") same<typeof event.data.refund.amount, number>(true);
  try {
    await api.getStore();
  } catch (error) {
    if (isStorefrontError(error) && error.code === "rate_limit_exceeded") same<typeof error.retryAfter, number | null>(true);
  }
}

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
      return null; // types of later versions
  }
}

export const codes = (error: ApiError): boolean => error.code === "insufficient_stock";
