import { endOfTurn } from "../../../end-of-turn.ts";
import type { LineQuery } from "./step.ts";

export type Lines = readonly (string | null)[];

/**
 * A read that is asked while an equal one waits to begin, for the turn of the event loop to end or for a connection, is that one: nobody gets what
 * was read before they asked. Under load, and when a cache runs out, many ask for one key and one page. `read` tells when it begins.
 */
export function sharedReads(
  read: (query: LineQuery, begins: () => void) => Promise<Lines>,
): (query: LineQuery) => Promise<Lines> {
  const waiting = new Map<string, Map<string, Promise<Lines>>>();

  return (query) => {
    let alike = waiting.get(query.sql);
    if (!alike) {
      alike = new Map();
      waiting.set(query.sql, alike);
    }
    const name = nameOf(query.parameters);
    const before = alike.get(name);
    if (before) return before;
    const names = alike;
    const lines = endOfTurn().then(() =>
      read(query, () => names.get(name) === lines && names.delete(name)),
    );
    alike.set(name, lines);
    return lines;
  };
}

/** No text holds a NUL. */
function nameOf(parameters: readonly unknown[]): string {
  let name = "";
  for (const value of parameters) name += typeof value === "string" ? `"${value}\0` : `${value}\0`;
  return name;
}
