import type { PublicErrorCode } from "../contract/errors.ts";
import type { Operation } from "../contract/paths.ts";
import type { AlertRecord } from "../rules/records.ts";
import type { IdempotencyOutcome } from "../rules/request-log.ts";
import type { SendErrorClass } from "../webhooks/transport.ts";

export interface RequestStart {
  readonly request_id: string;
  readonly method: string;
  /** Path and query as they were sent; keys are redacted. */
  readonly target: string;
}

export interface RequestEnd {
  /** Null when the request ended before its route was known, or has none. */
  readonly operation: Operation | null;
  /** Template of the path, base path included: `/v1/products/{id_or_slug}`. */
  readonly route: string | null;
  readonly status: number;
  readonly error_code: PublicErrorCode | null;
  /** Null until the key was accepted. */
  readonly store_id: string | null;
  readonly livemode: boolean;
  /** What the Idempotency-Key meant; null where the request ended before that was known. */
  readonly idempotency: IdempotencyOutcome | null;
  readonly duration_ms: number;
}

export interface DeliveryStart {
  readonly event_id: string;
  readonly event_type: string;
  /** Number of the attempt, counted from 1. */
  readonly attempt: number;
  /** Scheme, host and port alone, because some receivers keep a secret in the path. */
  readonly origin: string;
}

export interface DeliveryEnd {
  readonly delivered: boolean;
  /** HTTP status of the receiver's answer; null when no answer came. */
  readonly status: number | null;
  /** Null when the delivery succeeded. */
  readonly error: SendErrorClass | null;
  readonly duration_ms: number;
}

/**
 * Is told of requests and deliveries. No value that it is given holds a key, a
 * token or a secret. An error that it throws is reported to `onError` and changes
 * no answer.
 */
export interface Observer {
  /** Called when a request comes in; what it returns is called when the answer is ready. */
  request?(start: RequestStart): ((end: RequestEnd) => void) | undefined;
  /**
   * Called when an attempt to deliver a webhook starts; what it returns is called
   * with its outcome.
   */
  delivery?(start: DeliveryStart): ((end: DeliveryEnd) => void) | undefined;
  /** Called with every alert that `onAlert` has taken, or that is told to it once. */
  alert?(alert: Pick<AlertRecord, "type" | "store_id" | "livemode">): void;
}
