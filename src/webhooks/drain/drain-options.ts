import {
  checkSignal,
  invalidOption,
  type OptionNames,
  refuseUnknownOptions,
  requireOptions,
} from "../../input/option-error.ts";

/** The options of a run of `drainWebhooks`, such as how long it may take. */
export interface DrainOptions {
  /**
   * An abort stops the claims, gives back what has not started and lets running
   * sends end.
   */
  readonly signal?: AbortSignal | undefined;
  /** The milliseconds within which the drain ends. Default 25,000; at least `timeoutMs` + 2,000. */
  readonly maxDurationMs?: number | undefined;
  /** The most sends that the drain starts. By default there is no limit. */
  readonly maxDeliveries?: number | undefined;
  /** The most requests that this drain has open at once. Default 64. */
  readonly concurrency?: number | undefined;
  /** The most open requests of one endpoint. Default 4, and 1 after a timeout until a success. */
  readonly perEndpointConcurrency?: number | undefined;
  /**
   * Limits one attempt, from before DNS to the answer's headers, in
   * milliseconds. It is 15,000 by default.
   */
  readonly timeoutMs?: number | undefined;
}

const optionNames: OptionNames<DrainOptions> = {
  signal: true,
  maxDurationMs: true,
  maxDeliveries: true,
  concurrency: true,
  perEndpointConcurrency: true,
  timeoutMs: true,
};

/** A worker needs this time to end an attempt and write down its outcome. */
export const settleMarginMs = 15_000;

export interface DrainSettings {
  readonly signal: AbortSignal | undefined;
  readonly maxDurationMs: number;
  readonly maxDeliveries: number;
  readonly concurrency: number;
  readonly perEndpointConcurrency: number;
  readonly timeoutMs: number;
}

export function readDrainOptions(options: DrainOptions, leaseMs: number): DrainSettings {
  requireOptions(options, "drainWebhooks");
  refuseUnknownOptions(options, optionNames);
  const {
    signal,
    maxDurationMs = 25_000,
    maxDeliveries = Number.POSITIVE_INFINITY,
    concurrency = 64,
    perEndpointConcurrency = 4,
    timeoutMs = 15_000,
  } = options;
  checkSignal(signal);
  const numbers = { maxDurationMs, maxDeliveries, concurrency, perEndpointConcurrency, timeoutMs };
  for (const [name, value] of Object.entries(numbers)) {
    const unlimited =
      value === Number.POSITIVE_INFINITY && (name === "maxDeliveries" || name === "maxDurationMs");
    if (!(Number.isSafeInteger(value) && value >= 1) && !unlimited)
      invalidOption(name, "must be a whole number from 1");
  }
  if (maxDurationMs < timeoutMs + 2_000) {
    invalidOption(
      "maxDurationMs",
      "must be at least timeoutMs + 2000: no send could start and be settled in it",
    );
  }
  if (leaseMs < timeoutMs + settleMarginMs) {
    invalidOption(
      "webhooks.leaseMs",
      "must be at least timeoutMs + 15000, or leases would end before their sends",
    );
  }
  return { signal, ...numbers };
}
