import type { PublicErrorCode } from "../../contract/errors.ts";
import type { Operation } from "../../contract/paths.ts";
import type { PaymentOutcome, SessionOutcome } from "../../rules/orders/outcomes.ts";
import type { AlertRecord } from "../../rules/records.ts";
import type { IdempotencyOutcome } from "../../rules/request-log/request-log-entries.ts";
import type { SendErrorClass } from "../../webhooks/send/transport.ts";

/** A request that begins. */
export interface RequestStart {
  readonly request_id: string;
  readonly method: string;
  /** The path and query as they were sent. Keys are redacted. */
  readonly target: string;
}

/** The answer to a request, as an observer receives it. */
export interface RequestEnd {
  /** Null when the request ended before its route was known, or has none. */
  readonly operation: Operation | null;
  /**
   * The template of the path with the base path: `/v1/products/{id_or_slug}`. Probes and scrapes
   * have theirs, such as `/v1/readyz`. Null for a path that is no route.
   */
  readonly route: string | null;
  readonly status: number;
  readonly error_code: PublicErrorCode | null;
  /** Null until the key was accepted. */
  readonly store_id: string | null;
  readonly livemode: boolean;
  /** What the Idempotency-Key meant. Null when the request ended before that was known. */
  readonly idempotency: IdempotencyOutcome | null;
  readonly duration_ms: number;
}

/** An attempt to deliver an event that begins. */
export interface DeliveryStart {
  readonly event_id: string;
  readonly event_type: string;
  /** The number of the attempt, counted from 1. */
  readonly attempt: number;
  /**
   * Scheme, host and port alone, because some receivers keep a secret in the
   * path.
   */
  readonly origin: string;
}

/** The result of an attempt to deliver an event. */
export interface DeliveryEnd {
  readonly delivered: boolean;
  /** The HTTP status of the receiver's answer. It is null when no answer came. */
  readonly status: number | null;
  /** Null when the delivery succeeded. */
  readonly error: SendErrorClass | null;
  readonly duration_ms: number;
}

/**
 * A lookup in one of the caches of this process, which hold API keys and answers of
 * the catalog.
 */
export interface CacheLookup {
  readonly cache: "keys" | "answers";
  readonly hit: boolean;
}

/** A call of the storage that has ended. */
export interface StorageCall {
  /** Names the store and its method, such as `orders.applyPayment`. */
  readonly call: string;
  /** False means that the storage threw an error. */
  readonly ok: boolean;
  readonly duration_ms: number;
}

/** A number that was read from the storage. */
export interface GaugeValue {
  /**
   * The name of the number, such as `webhooks_due`. docs/observability lists
   * the names.
   */
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Gives values that are at most 15 s old, and never rejects. When the storage does
 * not answer, it gives only `storage_up`, which is 0.
 */
export type ReadGauges = () => Promise<readonly GaugeValue[]>;

/**
 * An observer is told what a storefront does. No value that it is given holds a
 * key, a token or a secret. An error that it throws is reported to `onError` and
 * changes no answer.
 */
export interface Observer {
  /**
   * Hears of each request when it comes in. The function that it returns is called when the answer
   * is ready.
   */
  request?(start: RequestStart): ((end: RequestEnd) => void) | undefined;
  /**
   * Hears of each attempt to deliver a webhook when it starts. The function that it returns is
   * called with the outcome.
   */
  delivery?(start: DeliveryStart): ((end: DeliveryEnd) => void) | undefined;
  /** Hears of every alert that `onAlert` has taken, or that is told to `onAlert` only once. */
  alert?(alert: Pick<AlertRecord, "type" | "store_id" | "livemode">): void;
  session?(session: SessionOutcome): void;
  payment?(payment: PaymentOutcome): void;
  cacheLookup?(lookup: CacheLookup): void;
  /** Hears of each call of the storage, after the call. */
  storageCall?(call: StorageCall): void;
  /** Takes a function that reads the numbers of the storage. Called once, at start-up. */
  gauges?(read: ReadGauges): void;
}
