import type { EventIds } from "./order-commands.ts";
import type { DisputeRecord } from "./payment-records.ts";
import type { OrderRecord, Partition } from "./records.ts";
import type { NamedMoney } from "./refund-commands.ts";

type Refusal<Outcome extends string> = Outcome extends string
  ? { readonly outcome: Outcome }
  : never;

/** A buyer's bank disputes a payment, as the host or the gateway tells of it. */
export interface DisputeOpening extends Partition {
  readonly order_id: string;
  readonly dispute: Pick<DisputeRecord, "id" | "reason" | "due_by"> & {
    /** Null: the order's total. */
    readonly amount: number | null;
  };
  /** True: the bank asks and has moved no money. */
  readonly inquiry: boolean;
  /** Null: the host tells of the dispute. */
  readonly money: NamedMoney | null;
  readonly ids: EventIds;
  readonly now: number;
}

/** A dispute has ended, as the host or the gateway tells of it. */
export interface DisputeClosing extends Partition {
  readonly order_id: string;
  readonly dispute_id: string;
  readonly result: "won" | "lost";
  /** Null: the host tells of the end. */
  readonly money: NamedMoney | null;
  readonly ids: EventIds;
  readonly now: number;
}

/** What the report of a dispute did to its order. */
export type DisputeResult =
  /** `alerted`: only the owner is told, and the order stays as it is. */
  | {
      readonly outcome: "opened" | "closed" | "alerted" | "unchanged" | "invalid_transition";
      readonly order: OrderRecord;
    }
  | Refusal<"exceeds_total" | "unknown_order" | "unknown_dispute" | "unknown_payment">;
