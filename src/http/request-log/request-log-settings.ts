import type { RequestLogStore } from "../../storage/request-log-store.ts";

/**
 * Says for which requests the structure of the body is kept. `errors` means those
 * that were refused.
 */
export type LoggedBodies = "none" | "errors" | "all";

export interface RequestLogSettings {
  readonly store: RequestLogStore;
  readonly keptMs: number;
  readonly bodies: LoggedBodies;
  /** Gives the time in epoch milliseconds. */
  now(): number;
  onError(error: unknown, where: string): void;
}
