import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { SettleOutcome } from "../../rules/webhooks/webhook-records.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import type { WriteAgentMessage } from "../send/send.ts";
import type { WebhookTransport } from "../send/transport.ts";
import type { NoticeContext } from "./notices.ts";

/** The result of a run of `drainWebhooks`. */
export interface DrainReport {
  readonly attempted: number;
  readonly delivered: number;
  readonly rescheduled: number;
  readonly exhausted: number;
  /**
   * Counts the failures that were not recorded, because another worker had taken
   * over the lease.
   */
  readonly lease_lost: number;
  /** Counts the deliveries that were claimed and given back unsent. */
  readonly released: number;
  readonly endpoints_disabled: number;
  /** True when deliveries are due right now. */
  readonly more: boolean;
  /**
   * The earliest next try, or lease end, of any enabled endpoint, in ISO
   * 8601, in UTC. It is null when nothing waits.
   */
  readonly next_due_at: string | null;
  readonly stopped_by: "idle" | "budget" | "limit" | "aborted";
  readonly duration_ms: number;
}

/** The part of the report that is counted while the drain runs. */
export type DrainCounts = Record<
  SettleOutcome | "attempted" | "released" | "endpoints_disabled",
  number
>;

export interface DrainContext extends NoticeContext {
  readonly store: WebhookStore;
  readonly transport: WebhookTransport;
  readonly keyRing: KeyRing;
  readonly writeAgentMessage: WriteAgentMessage;
  readonly scheduleMs: readonly number[];
  readonly leaseMs: number;
  /** Gives milliseconds of a clock that is never set. It measures durations. */
  monotonicNow(): number;
  /**
   * Calls back when an endpoint was changed in this process. Gives a function that
   * stops the listening.
   */
  onEndpointChange(changed: (endpoint_id: string) => void): () => void;
  newToken(): string;
  newAlertId(): string;
}
