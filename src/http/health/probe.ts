import { askOnce } from "../../domain/async/ask-once.ts";
import { timeBox } from "../../domain/async/time-box.ts";
import type { HttpContext } from "../context.ts";

/**
 * The storage is asked at most once in this time, because the probed routes take no
 * key.
 */
const rememberMs = 1_000;
/** A storage that takes longer than this counts as one that does not answer. */
const answerMs = 1_000;

/**
 * Makes a function that asks the storage a question for a route without a key. It
 * asks one question at a time, and at most one in a second. The answer is null when
 * the storage fails or takes too long, which is reported.
 */
export function createProbe<Answer>(
  ctx: HttpContext,
  where: string,
  question: () => Promise<Answer>,
): () => Promise<Answer | null> {
  const report = (error: unknown): null => {
    ctx.onError(error, where);
    return null;
  };

  return askOnce({
    steadyNow: ctx.steadyNow,
    rememberMs,
    question: () => question().catch(report),
    show: (answer) =>
      timeBox(answer, answerMs, () =>
        report(new Error("The storage did not answer within a second.")),
      ),
  });
}
