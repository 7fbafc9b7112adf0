import type { RequestLogStore } from "../storage/request-log-store.ts";

/** The requests whose body structure is kept. `errors` means those that were refused. */
export type LoggedBodies = "none" | "errors" | "all";

export interface RequestLogSettings {
  readonly store: RequestLogStore;
  readonly keptMs: number;
  readonly bodies: LoggedBodies;
  /** The time is in epoch milliseconds. */
  now(): number;
  onError(error: unknown, where: string): void;
}
