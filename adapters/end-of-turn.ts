let turn: Promise<void> | null = null;

/**
 * Resolves when this turn of the event loop has read all the input that had
 * arrived. What arrived together can then be worked on together.
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
