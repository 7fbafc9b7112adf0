import type { AttemptRecord, PaymentRecord } from "../../../../src/rules/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../../../src/rules/records.ts";
import type { QueryGenerator } from "../engine/queries.ts";

/** The rows that nearly every step writes. */
export interface StepRows {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  /** The order before the step; null for a new one. */
  readonly order_before: OrderRecord | null;
  readonly attempts: readonly AttemptRecord[];
  readonly payments: readonly PaymentRecord[];
}

export type WriteRows = (rows: StepRows) => QueryGenerator<void>;

/** Fails a step whose order moved although it held the order's lock. */
export const movedOrder = (): Error => new Error("An order moved while it was locked.");
