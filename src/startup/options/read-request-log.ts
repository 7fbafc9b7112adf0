import { hourMs } from "../../domain/durations.ts";
import type { LoggedBodies } from "../../http/request-log/request-log-settings.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { StorefrontOptions } from "../../options.ts";
import { isWhole } from "./whole-numbers.ts";

const mostHours = 720;
const bodyKinds: readonly LoggedBodies[] = ["none", "errors", "all"];

export interface RequestLogOption {
  readonly keptMs: number;
  readonly bodies: LoggedBodies;
}

/** Reads the option. It is null when the host wants no request log. */
export function readRequestLog(option: StorefrontOptions["requestLog"]): RequestLogOption | null {
  if (option === undefined) return null;

  const { keepHours = 48, bodies = "errors" } = option;
  if (!isWhole(keepHours, 1, mostHours))
    invalidOption("requestLog.keepHours", `must be a whole number from 1 to ${mostHours}`);
  if (!bodyKinds.includes(bodies))
    invalidOption("requestLog.bodies", `must be one of ${bodyKinds.join(", ")}`);
  return { keptMs: keepHours * hourMs, bodies };
}
