import {
  checkSignal,
  invalidOption,
  refuseUnknownOptions,
  requireOptions,
} from "../../input/option-error.ts";

/** Limits a run of the maintenance. */
export interface MaintenanceOptions {
  /** An abort stops the run before the next row. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds that the run may take. Default 25,000. When a gateway does not answer, the run can
   * take a minute longer: 30 s for a cancel and 30 s for a look-up.
   */
  readonly maxDurationMs?: number | undefined;
}

export function readMaintenance(options: MaintenanceOptions) {
  requireOptions(options, "runMaintenance");
  refuseUnknownOptions(options, { signal: true, maxDurationMs: true });
  const { signal, maxDurationMs = 25_000 } = options;
  checkSignal(signal);
  if (typeof maxDurationMs !== "number" || !(maxDurationMs >= 1))
    invalidOption("maxDurationMs", "must be a number from 1");
  return { signal, maxDurationMs };
}
