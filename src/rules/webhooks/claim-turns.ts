/** The most deliveries of one disabled endpoint that a claim skips. */
export const skipLimit = 1_000;

/** Compares the ids of two endpoints: those after `from` come first, so that none starves. */
export const compareTurns = (from: string | null, one: string, other: string): number => {
  const turn = Number(isAfter(other, from)) - Number(isAfter(one, from));
  return turn || (one < other ? -1 : 1);
};

const isAfter = (id: string, from: string | null): boolean => from === null || id > from;
