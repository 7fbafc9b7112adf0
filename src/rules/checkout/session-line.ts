import type { Product, ProductOption } from "../../contract/schemas.ts";
import type { LineDelivery } from "../entitlements/entitlement-record.ts";

/** One line of a session's cart, with the prices that the buyer was shown. */
export interface SessionLine {
  readonly id: string;
  readonly product_id: string;
  readonly product_slug: string;
  readonly name: string;
  readonly image_url: string | null;
  readonly quantity: number;
  readonly unit_amount: number;
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
  readonly variables: Readonly<Record<string, string>>;
  /** What tells the product from the others of its group. Absent without options. */
  readonly options?: readonly ProductOption[];
  readonly recurring: Product["recurring"];
  /** What the buyer gets once the session is paid. The order has it from then on. */
  readonly delivery?: LineDelivery;
}
