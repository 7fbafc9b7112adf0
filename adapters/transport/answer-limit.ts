const maxOverheadBytes = 65_536;
const maxInterimAnswers = 32;

/**
 * Bounds what a receiver sends beside the body of its answer. These are interim
 * answers (1xx), headers, the sizes of chunks, and trailers. The body has a limit
 * of its own.
 */
export function createAnswerLimit(onExceeded: () => void) {
  let received = 0;
  let inBody = 0;
  let interimAnswers = 0;

  return {
    /** Judges what came before this part, which has come and is not parsed yet. */
    received(bytes: number): void {
      if (received - inBody > maxOverheadBytes) onExceeded();
      received += bytes;
    },
    bodyReceived(bytes: number): void {
      inBody += bytes;
    },
    interimAnswer(): void {
      interimAnswers += 1;
      if (interimAnswers > maxInterimAnswers) onExceeded();
    },
  };
}
