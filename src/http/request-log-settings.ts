import type { RequestLogStore } from "../storage/request-log-store.ts";

/** Of which requests the structure of the body is kept. `errors`: those that were refused. */
export type LoggedBodies = "none" | "errors" | "all";

export interface RequestLogSettings {
  readonly store: RequestLogStore;
  readonly keptMs: number;
  readonly bodies: LoggedBodies;
  /** Epoch milliseconds. */
  now(): number;
  onError(error: unknown, where: string): void;
}
