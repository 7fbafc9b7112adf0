import type { EventIds } from "../orders/order-commands.ts";
import type { Partition } from "../records.ts";
import type { RefundReport } from "../refunds/refund-commands.ts";
import type { MoneyReturn, PaymentRecord } from "./payment-records.ts";

/** Money that pays nothing begins a try to go back. */
export interface PaymentReturn extends Partition {
  readonly order_id: string;
  readonly payment_id: string;
  readonly asked_by: "owner" | "maintenance";
  /** True means that the gateway can be asked about a refund. */
  readonly can_ask: boolean;
  readonly ids: EventIds;
  readonly now: number;
}

/** Money that the gateway is asked to send back. */
export type ReturningPayment = PaymentRecord & { readonly return: MoneyReturn };

/** The result of the start of a return. It tells the caller what to do next. */
export type ReturnStarted =
  /** The caller sends the creation, asks about it, or leaves it to the provider's message. */
  | {
      readonly outcome: "started";
      readonly payment: ReturningPayment;
      /** True means that the creation was sent before with this key. */
      readonly repeat: boolean;
      readonly next: "send" | "ask" | "wait";
    }
  | { readonly outcome: "unchanged"; readonly payment: PaymentRecord }
  | { readonly outcome: "invalid_transition" }
  | { readonly outcome: "unknown_payment" };

/** How a try ended. */
export interface ReturnSettlement extends Partition {
  readonly order_id: string;
  readonly payment_id: string;
  /** The number of the key that was asked with: report of an earlier one counts no more. */
  readonly key_attempt: number;
  readonly report: RefundReport | "no_answer";
  readonly ids: EventIds;
  readonly now: number;
}

/** The effect of a try's end on the money that is to go back. */
export type PaymentReturned =
  | {
      readonly outcome: "returned" | "returning" | "return_failed" | "unchanged";
      readonly payment: PaymentRecord;
    }
  | { readonly outcome: "unknown_payment" };
