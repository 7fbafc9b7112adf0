import type { EventIds } from "../orders/order-commands.ts";
import type { DisputeRecord } from "../payments/payment-records.ts";
import type { OrderRecord, Partition } from "../records.ts";
import type { NamedMoney } from "../refunds/refund-commands.ts";

type Refusal<Outcome extends string> = Outcome extends string
  ? { readonly outcome: Outcome }
  : never;

/** A buyer's bank disputes a payment, as the host or the gateway reports. */
export interface DisputeOpening extends Partition {
  readonly order_id: string;
  readonly dispute: Pick<DisputeRecord, "id" | "reason" | "due_by"> & {
    /** Null stands for the order's total. */
    readonly amount: number | null;
  };
  /** True means that the bank asks and has moved no money. */
  readonly inquiry: boolean;
  /** Null means that the host reports the dispute. */
  readonly money: NamedMoney | null;
  readonly ids: EventIds;
  readonly now: number;
}

/** A dispute has ended, as the host or the gateway reports. */
export interface DisputeClosing extends Partition {
  readonly order_id: string;
  readonly dispute_id: string;
  readonly result: "won" | "lost";
  /** True means that the end of a dispute that nobody told of is not recorded. */
  readonly known_only?: boolean;
  /** Null means that the host reports the end. */
  readonly money: NamedMoney | null;
  readonly ids: EventIds;
  readonly now: number;
}

/** The result of a report of a dispute. */
export type DisputeResult =
  /** `alerted` means that only the owner is told, and the order stays as it is. */
  | {
      readonly outcome: "opened" | "closed" | "alerted" | "unchanged" | "invalid_transition";
      readonly order: OrderRecord;
    }
  | Refusal<"exceeds_total" | "unknown_order" | "unknown_dispute" | "unknown_payment">;
