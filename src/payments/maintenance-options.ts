import { fail } from "../contract/errors.ts";

export interface MaintenanceOptions {
  /** Stops between two rows. */
  readonly signal?: AbortSignal;
  /** Time budget in milliseconds; 25,000 by default. A gateway that hangs may hold it 30 s longer. */
  readonly maxDurationMs?: number;
}

export function readMaintenance({ signal, maxDurationMs = 25_000 }: MaintenanceOptions) {
  if (!(maxDurationMs >= 1))
    fail("invalid_option", {
      param: "maxDurationMs",
      message: "Option maxDurationMs must be a number from 1.",
    });
  return { signal, maxDurationMs };
}
