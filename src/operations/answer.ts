/** The serialised data part of a catalog answer and its page fields; status, headers and ids are made per request. */
export interface Answer {
  /** JSON text of `data`. */
  readonly data: string;
  readonly page: { readonly has_more: boolean; readonly next_cursor: string | null } | null;
}
