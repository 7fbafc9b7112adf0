import type { StatChange } from "#core/rules/owner/stats.ts";
import type { AttemptRecord, PaymentRecord } from "#core/rules/payments/payment-records.ts";
import type { OrderRecord, Partition, SessionRecord } from "#core/rules/records.ts";
import type { EventParts } from "#core/rules/webhooks/render-event.ts";
import type { QueryGenerator } from "../../engine/queries.ts";
import type { AddedTotals } from "../../webhooks/event-statements.ts";

/** Nearly every step writes these rows. */
export interface StepRows {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  /** The order as it was before the step. It is null for a new order. */
  readonly order_before: OrderRecord | null;
  readonly attempts: readonly AttemptRecord[];
  readonly payments: readonly PaymentRecord[];
  /** The times of the records are this far ahead of the real time. */
  readonly offset: number;
}

/**
 * Writes the rows. It gives false when the order is one of an older version that
 * maintenance has not indexed yet; a database whose next statement finds that by itself
 * gives true.
 */
export type WriteRows = (rows: StepRows) => QueryGenerator<boolean>;

/** A step writes this, in the order of the locks. */
export interface StepWrites {
  readonly rows: StepRows;
  /** Writes what few steps have: refunds, alerts and the like. Most steps send nothing here. */
  readonly between: () => QueryGenerator<void>;
  readonly events: readonly EventParts[];
  /** Null when the events take their sequences from the counters. */
  readonly first_sequence: number | null;
  /** Added if the order is indexed. */
  readonly totals: AddedTotals | null;
  readonly stats: readonly StatChange[];
}

export type WriteStep = (partition: Partition, writes: StepWrites) => QueryGenerator<void>;

/** Fails a step whose order moved although it held the order's lock. */
export const movedOrder = (): Error => new Error("An order moved while it was locked.");
