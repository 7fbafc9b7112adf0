import type { Answer } from "../operations/answer.ts";

/** An answer beside its tag, so that a hit hashes nothing. */
interface Kept {
  readonly tag: string;
  readonly answer: Answer;
}

export interface AnswerCache {
  get(name: string): Kept | undefined;
  set(name: string, kept: Kept): void;
}

/**
 * Holds at most `maxBytes` (of JSON text, counted as UTF-16); 0 keeps nothing. Names hold the catalog version, so nothing goes stale. What was
 * not asked for while half of it was filled anew goes: a hit then moves nothing, and the strings that a request made die young.
 */
export function createAnswerCache(maxBytes: number): AnswerCache {
  let young = new Map<string, Kept>();
  let old = new Map<string, Kept>();
  let bytes = 0; // of the young
  const keep = (name: string, kept: Kept, size: number): void => {
    if (bytes + size > maxBytes / 2) {
      old = young;
      young = new Map();
      bytes = 0;
    }
    young.set(name, kept);
    bytes += size;
  };
  const sizeOf = (name: string, { answer }: Kept): number =>
    2 * (name.length + answer.data.length) + 250;

  return {
    get(name) {
      const kept = young.get(name);
      if (kept) return kept;
      const aged = old.get(name);
      if (aged) {
        old.delete(name);
        keep(name, aged, sizeOf(name, aged));
      }
      return aged;
    },
    set(name, kept) {
      const size = sizeOf(name, kept);
      if (size <= maxBytes / 8 && !young.has(name)) keep(name, kept, size);
    },
  };
}
