import { isApiError } from "../contract/errors.ts";

const readAtOnce = 5;

/**
 * Reads records by their ids. It reads a few at a time, so that one page never takes
 * all connections of a pool. A record that is gone is left out.
 */
export async function readFew<Row>(
  ids: readonly string[],
  read: (id: string) => Promise<Row>,
): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>();
  const readOne = async (id: string): Promise<void> => {
    try {
      found.set(id, await read(id));
    } catch (error) {
      if (!isApiError(error) || error.code !== "resource_not_found") throw error;
    }
  };

  const wanted = [...new Set(ids)];
  for (let first = 0; first < wanted.length; first += readAtOnce)
    await Promise.all(wanted.slice(first, first + readAtOnce).map(readOne));
  return found;
}
