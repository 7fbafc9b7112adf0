import type { Order } from "../../contract/schemas.ts";

/** What happened to an order's money after the payment. */
export interface Adjustment {
  readonly id: string;
  readonly type: "refund" | "dispute";
  readonly status: "pending" | "completed";
  readonly occurred_at: string;
  /** The money that goes back. Null when the order does not tell. */
  readonly amount: number | null;
}

/** Lists refunds that are done or under way, and a dispute. */
export function adjustmentsOf(order: Order): readonly Adjustment[] {
  const { id, amount_refunded, amount_refunding, refunded_at, updated_at, disputed_at } = order;
  const refund = (
    status: Adjustment["status"],
    amount: number,
    occurred_at: string,
  ): Adjustment => ({ id: `${id}_refund_${status}`, type: "refund", status, occurred_at, amount });

  const found: Adjustment[] = [];
  if (amount_refunded > 0)
    found.push(refund("completed", amount_refunded, refunded_at ?? updated_at));
  if (amount_refunding > 0) found.push(refund("pending", amount_refunding, updated_at));
  if (order.status === "chargeback" && disputed_at !== null)
    found.push({
      id: `${id}_dispute`,
      type: "dispute",
      status: "pending",
      occurred_at: disputed_at,
      amount: null,
    });
  return found;
}
