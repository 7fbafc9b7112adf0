let turn: Promise<void> | null = null;

/**
 * Resolves when this turn of the event loop has read all the input that had
 * arrived. The caller can then work on all of that input together.
 */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((resolve) => {
    setImmediate(() => {
      turn = null;
      resolve();
    });
  });
  return turn;
}
