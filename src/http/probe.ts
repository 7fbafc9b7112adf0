import { timeBox } from "../domain/time-box.ts";
import type { HttpContext } from "./context.ts";

/** Probed routes take no key, so the storage is asked at most once in this time. */
const rememberMs = 1_000;
/** A storage that takes longer than this counts as one that does not answer. */
const answerMs = 1_000;

/**
 * Asks the storage a question for a route without a key: one at a time, and at most
 * once a second. Null when it fails or takes too long, which is reported.
 */
export function createProbe<Answer>(
  ctx: HttpContext,
  where: string,
  question: () => Promise<Answer>,
): () => Promise<Answer | null> {
  let latest: { readonly at: number; readonly answer: Promise<Answer | null> } | null = null;
  /**
   * True from a question until its answer, however late: a second one would wait
   * behind it.
   */
  let asking = false;

  const report = (error: unknown): null => {
    ctx.onError(error, where);
    return null;
  };
  const ask = (): Promise<Answer | null> => {
    asking = true;
    const answered = question()
      .catch(report)
      .finally(() => {
        asking = false;
      });
    return timeBox(answered, answerMs, () =>
      report(new Error("The storage did not answer within a second.")),
    );
  };

  return () => {
    const now = ctx.steadyNow();
    const outdated = !latest || now - latest.at >= rememberMs;
    if (!latest || (outdated && !asking)) latest = { at: now, answer: ask() };
    return latest.answer;
  };
}
