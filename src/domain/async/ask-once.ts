/** The question, and the way in which its answers are shown. */
export interface AskOnce<Answer, Shown> {
  /** Gives milliseconds of a clock that never goes back. */
  readonly steadyNow: () => number;
  /** Milliseconds for which an answer serves all callers. */
  readonly rememberMs: number;
  readonly question: () => Promise<Answer>;
  /** Turns an answer into what the callers get. It is called once for each question. */
  readonly show: (answer: Promise<Answer>) => Promise<Shown>;
}

/**
 * Asks one question at a time for all its callers. While a question is open, no
 * second one is asked, however late the answer comes. The question must not reject.
 */
export function askOnce<Answer, Shown>({
  steadyNow,
  rememberMs,
  question,
  show,
}: AskOnce<Answer, Shown>): () => Promise<Shown> {
  let latest: { readonly at: number; readonly shown: Promise<Shown> } | null = null;
  let asking = false;

  const ask = (): Promise<Shown> => {
    asking = true;
    return show(
      question().finally(() => {
        asking = false;
      }),
    );
  };

  return () => {
    const now = steadyNow();
    if (!latest || (now - latest.at >= rememberMs && !asking)) latest = { at: now, shown: ask() };
    return latest.shown;
  };
}
