import type { EventIds } from "./order-commands.ts";
import type { PaymentRecord } from "./payment-records.ts";
import type { Partition } from "./records.ts";

/** A duplicate payment begins a try to go back. */
export interface PaymentReturn extends Partition {
  readonly order_id: string;
  readonly payment_id: string;
  readonly asked_by: "owner" | "maintenance";
  readonly now: number;
}

export type ReturnStarted =
  | { readonly outcome: "started" | "unchanged"; readonly payment: PaymentRecord }
  | { readonly outcome: "invalid_transition" }
  | { readonly outcome: "unknown_payment" };

/** How a try ended. `unknown`: the gateway gave no answer. */
export interface ReturnSettlement extends Partition {
  readonly order_id: string;
  readonly payment_id: string;
  readonly status: "succeeded" | "pending" | "failed" | "unknown";
  readonly refund_reference: string | null;
  readonly ids: EventIds;
  readonly now: number;
}

export type PaymentReturned =
  | {
      readonly outcome: "returned" | "returning" | "return_failed" | "unchanged";
      readonly payment: PaymentRecord;
    }
  | { readonly outcome: "unknown_payment" };
