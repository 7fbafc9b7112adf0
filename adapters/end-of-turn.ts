let turn: Promise<void> | null = null;

/** When this turn of the event loop has read all that came in: what arrived together can then be worked on together. */
export function endOfTurn(): Promise<void> {
  turn ??= new Promise((ended) => {
    setImmediate(() => {
      turn = null;
      ended();
    });
  });
  return turn;
}
