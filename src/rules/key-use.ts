import type { KeyRecord } from "./records.ts";

/** A key as its owner sees it. */
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
export const keyUseStepMs = 3_600_000;

/** True when a use is so much later than the noted one that it is noted too. */
export const isNewUse = (used_at: number, noted: number | null | undefined): boolean =>
  noted == null || used_at - noted >= keyUseStepMs;
