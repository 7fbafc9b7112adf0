/** The serialised data part of a catalog answer and its page fields; status, headers and ids are made per request. */
export interface Answer {
  /** JSON text of `data`. */
  readonly data: string;
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null } | null;
}

export interface AnswerCache {
  get(tag: string): Answer | undefined;
  set(tag: string, answer: Answer): void;
}

/** Least recently used go first once `maxBytes` (of JSON text, counted as UTF-16) are held; 0 keeps nothing. Keys hold the catalog version, so nothing goes stale. */
export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new Map<string, Answer>();
  let bytes = 0;
  const sizeOf = (tag: string, answer: Answer): number => 2 * (tag.length + answer.data.length) + 200;

  return {
    get(tag) {
      const answer = entries.get(tag);
      if (answer) {
        entries.delete(tag);
        entries.set(tag, answer);
      }
      return answer;
    },
    set(tag, answer) {
      const size = sizeOf(tag, answer);
      if (size > maxBytes / 8 || entries.has(tag)) return;
      entries.set(tag, answer);
      bytes += size;
      for (const [oldest, held] of entries) {
        if (bytes <= maxBytes) break;
        entries.delete(oldest);
        bytes -= sizeOf(oldest, held);
      }
    },
  };
}
