import type { AlertRecord, OrderRecord } from "../records.ts";

interface OrderAlert extends Pick<AlertRecord, "type" | "subject" | "data"> {
  readonly id: string | undefined;
  readonly now: number;
}

/** Tells the owner about the order. The order's id joins the alert's data. */
export const orderAlert = (
  order: OrderRecord,
  { id, type, subject, data, now }: OrderAlert,
): AlertRecord => ({
  id: id ?? "",
  store_id: order.store_id,
  livemode: order.livemode,
  type,
  subject,
  data: { order_id: order.id, ...data },
  created_at: now,
});
