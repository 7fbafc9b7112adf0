import { isApiError } from "../contract/errors.ts";

/** How many errors of the same kind were left out since the last one that was told. */
export interface ErrorRepeats {
  readonly repeats: number;
}

type Tell = (error: unknown, where: string, repeats: ErrorRepeats) => void;

const quietMs = 1_000;
/** The most kinds that are remembered: a message may hold what somebody else has chosen. */
const mostKinds = 1_000;

interface Told {
  readonly at: number;
  repeats: number;
}

/**
 * Passes on one error of a kind in a second: the same words from the same place are one alarm,
 * however many requests meet it while a database is away. The next one tells how many were left
 * out. `now` gives monotonic milliseconds.
 */
export function onceASecond(
  tell: Tell,
  now: () => number = () => performance.now(),
): (error: unknown, where: string) => void {
  const told = new Map<string, Told>();

  return (error, where) => {
    const kind = `${where}\n${kindOf(error)}`;
    const last = told.get(kind);
    const at = now();
    if (last && at - last.at < quietMs) {
      last.repeats += 1;
      return;
    }

    if (told.size >= mostKinds) told.clear();
    told.set(kind, { at, repeats: 0 });
    tell(error, where, { repeats: last?.repeats ?? 0 });
  };
}

/** Two errors of one kind have the same words, and so have their causes. */
function kindOf(error: unknown, causes = 3): string {
  if (!(error instanceof Error)) return typeof error;

  const code = isApiError(error) ? error.code : "";
  const cause = causes > 0 && error.cause ? kindOf(error.cause, causes - 1) : "";
  return [error.name, code, error.message, cause].join("\n");
}
