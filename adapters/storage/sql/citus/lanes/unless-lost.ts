import { isUnavailable } from "./is-unavailable.ts";

/**
 * Makes work over all stores pause while a node is lost. Use it only for work that
 * can wait, whose result nobody needs meanwhile.
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
