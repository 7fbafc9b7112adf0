import type { LimitName } from "../../contract/route.ts";
import { dayMs, hourMs, minuteMs } from "../../domain/durations.ts";
import type { Limit } from "../../http/context.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { StorefrontOptions } from "../../options.ts";
import { isWhole } from "./whole-numbers.ts";

export const defaultLimits: Readonly<Record<LimitName, Limit | null>> = {
  checkout: { limit: 10, window_ms: minuteMs },
  sessions: { limit: 60, window_ms: minuteMs },
  coupons: { limit: 20, window_ms: minuteMs },
  licenses: { limit: 60, window_ms: minuteMs },
  payments: { limit: 30, window_ms: minuteMs },
  catalog: null,
  orders: null,
  customers: null,
  agents: null,
  agentSessions: null,
  agentStores: null,
};

export function readLimits(
  limits: StorefrontOptions["limits"],
): Readonly<Record<LimitName, Limit | null>> {
  const read = { ...defaultLimits };
  for (const name of Object.keys(read) as LimitName[])
    read[name] = readLimit(name, limits?.[name], read[name]);
  return read;
}

export function readLimit(
  name: string,
  limit: Limit | null | undefined,
  fallback: Limit | null,
): Limit | null {
  if (limit === undefined) return fallback;
  if (limit === null) return null;

  if (!isWhole(limit.limit, 1, 1_000_000) || !isWhole(limit.window_ms, 1, dayMs))
    invalidOption(
      `limits.${name}`,
      "must be null, or {limit, window_ms} with whole numbers from 1 (window at most a day)",
    );
  return limit;
}

const mostSessionsPerDay = 1_000_000_000;

/** Reads the option. With null there may be any number. */
export function readMaxSessionsPerDay(value: number | null | undefined): number | null {
  if (value === undefined || value === null) return null;

  if (!isWhole(value, 1, mostSessionsPerDay))
    invalidOption(
      "maxSessionsPerDay",
      `must be a whole number from 1 to ${mostSessionsPerDay}, or null for any number`,
    );
  return value;
}

/** Reads the option. It is null when a request may take its time. */
export function readRequestTimeout(value: number | null | undefined = 30_000): number | null {
  if (value === null) return null;

  if (!isWhole(value, 100, hourMs))
    invalidOption("requestTimeoutMs", `must be null, or a whole number from 100 to ${hourMs}`);
  return value;
}
