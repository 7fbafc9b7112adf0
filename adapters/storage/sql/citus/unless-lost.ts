import { isUnavailable } from "./is-unavailable.ts";

/**
 * Makes of work over all stores one that rests while a node is lost. It is for work that
 * can wait: what it would do is not missed by anybody meanwhile.
 */
export const unlessLost =
  <Args extends readonly unknown[]>(work: (...args: Args) => Promise<number>) =>
  async (...args: Args): Promise<number> => {
    try {
      return await work(...args);
    } catch (error) {
      if (isUnavailable(error)) return 0;
      throw error;
    }
  };
