import { hourMs } from "../../domain/durations.ts";
import type { KeyRecord } from "../records.ts";

/** A key with the time of its last use, as its owner sees it. */
export interface StoredKey extends KeyRecord {
  /** Null when no use was noted since keys note their uses. */
  readonly last_used_at: number | null;
}

/** The time of a key's last use. */
export interface KeyUse {
  readonly key_hash: string;
  readonly used_at: number;
}

/** The stored time of a key's last use is at most this much older than the use itself. */
export const keyUseStepMs = hourMs;

/** Tells whether a use came an hour or more after the noted one, so that it is noted too. */
export const isNewUse = (used_at: number, noted: number | null | undefined): boolean =>
  noted == null || used_at - noted >= keyUseStepMs;
