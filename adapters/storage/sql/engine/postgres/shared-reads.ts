import { endOfTurn } from "../../../../end-of-turn.ts";
import type { TextRowQuery, TextRows } from "../queries.ts";

/** Reads text rows; it calls `onBegin` when the statement is about to be sent. */
type Read = (query: TextRowQuery, onBegin: () => void) => Promise<TextRows>;

/**
 * Joins equal reads that wait to begin, either for the turn of the event loop to
 * end or for a connection. A read that has begun takes no further callers, so that
 * nobody gets rows that were read before they asked. Under load, many requests ask
 * for one key and one page at a time.
 */
export function sharedReads(read: Read): (query: TextRowQuery) => Promise<TextRows> {
  const waitingBySql = new Map<string, Map<string, Promise<TextRows>>>();

  return (query) => {
    let waiting = waitingBySql.get(query.sql);
    if (!waiting) {
      waiting = new Map();
      waitingBySql.set(query.sql, waiting);
    }

    const key = keyOf(query.parameters);
    const shared = waiting.get(key);
    if (shared) return shared;

    const reads = waiting;
    const rows = endOfTurn().then(() =>
      read(query, () => {
        if (reads.get(key) === rows) reads.delete(key);
      }),
    );
    reads.set(key, rows);
    return rows;
  };
}

/**
 * Writes a list of parameters as a key. They end with a NUL, which no stored text
 * holds, so that different lists never collide.
 */
function keyOf(parameters: readonly unknown[]): string {
  let key = "";
  for (const value of parameters) key += typeof value === "string" ? `"${value}\0` : `${value}\0`;
  return key;
}
