/** What a question is asked with, and how its answers are shown. */
export interface AskOnce<Answer, Shown> {
  /** Milliseconds that only go forward. */
  readonly steadyNow: () => number;
  /** So many milliseconds an answer serves all who ask. */
  readonly rememberMs: number;
  readonly question: () => Promise<Answer>;
  /** Makes of the answer, once for each question, what the callers get. */
  readonly show: (answer: Promise<Answer>) => Promise<Shown>;
}

/**
 * Asks one question at a time for all its callers. While one is open, however late its
 * answer, no second one waits behind it. The question must not reject.
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
