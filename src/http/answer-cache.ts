/** The serialised data part of a catalog answer and its page fields; status, headers and ids are made per request. */
export interface Answer {
  /** JSON text of `data`. */
  readonly data: string;
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null } | null;
}

/** An answer beside its tag, so that a hit hashes nothing. */
interface Kept {
  readonly tag: string;
  readonly answer: Answer;
}

export interface AnswerCache {
  get(name: string): Kept | undefined;
  set(name: string, kept: Kept): void;
}

/** Least recently used go first once `maxBytes` (of JSON text, counted as UTF-16) are held; 0 keeps nothing. Names hold the catalog version, so nothing goes stale. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new Map<string, Kept>();
  let bytes = 0;
  const sizeOf = (name: string, { answer }: Kept): number => 2 * (name.length + answer.data.length) + 250;

  return {
    get(name) {
      const kept = entries.get(name);
      if (kept) {
        entries.delete(name);
        entries.set(name, kept);
      }
      return kept;
    },
    set(name, kept) {
      const size = sizeOf(name, kept);
      if (size > maxBytes / 8 || entries.has(name)) return;
      entries.set(name, kept);
      bytes += size;
      for (const [oldest, held] of entries) {
        if (bytes <= maxBytes) break;
        entries.delete(oldest);
        bytes -= sizeOf(oldest, held);
      }
    },
  };
}
