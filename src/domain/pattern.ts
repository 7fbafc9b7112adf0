/** One character a step accepts. */
interface Accepts {
  readonly negated: boolean;
  /** Code point ranges, inclusive. */
  readonly ranges: readonly (readonly [number, number])[];
}
interface Piece {
  readonly accepts: Accepts;
  readonly min: number;
  /** Infinity: any number. */
  readonly max: number;
}
export type CompiledPattern = readonly Piece[];

const maxRepeat = 500;
const maxStates = 5_000;
const classes: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  d: [[48, 57]],
  w: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  s: [
    [9, 13],
    [32, 32],
    [160, 160],
  ],
};

/**
 * Literals and `[…]` classes with `? * + {m} {m,} {m,n}` (n at most 500); `.`, `\d`, `\w`, `\s` and escaped punctuation are classes of one
 * character; `^` at the start and `$` at the end mean nothing, for a pattern is matched whole. Anything else gives null.
 */
export function compilePattern(source: string): CompiledPattern | null {
  const letters = [...source];
  if (letters[0] === "^") letters.shift();
  if (letters.at(-1) === "$" && letters.at(-2) !== "\\") letters.pop();
  const pieces: Piece[] = [];
  let states = 0;
  let at = 0;
  while (at < letters.length) {
    const atom = readAtom(letters, at);
    if (!atom) return null;
    const repeat = readRepeat(letters, atom.next);
    if (!repeat) return null;
    pieces.push({ accepts: atom.accepts, min: repeat.min, max: repeat.max });
    states += Number.isFinite(repeat.max) ? repeat.max : repeat.min + 1;
    if (states > maxStates) return null;
    at = repeat.next;
  }
  return pieces;
}

/** The whole text, by a set of states: time grows with text times pattern, never with backtracking. */
export function matchesPattern(pattern: CompiledPattern, text: string): boolean {
  // A state is (piece, times taken so far), a byte each; times are capped at `min` for open-ended pieces. The last byte is the end of the pattern.
  const most = pattern.map(({ min, max }) => (Number.isFinite(max) ? max : min));
  const starts = [0];
  for (const times of most) starts.push((starts.at(-1) ?? 0) + times + 1);
  const end = starts.at(-1) ?? 0;
  let states = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  states[0] = 1;
  leave(pattern, starts, states);
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    next.fill(0);
    let alive = false;
    for (let index = 0; index < pattern.length; index += 1) {
      const piece = pattern[index];
      const first = states.indexOf(1, starts[index]);
      if (!piece || first < 0) break;
      const last = (starts[index] ?? 0) + (most[index] ?? 0);
      if (first > last || !accepts(piece.accepts, code)) continue;
      if (first < last) next.set(states.subarray(first, last), first + 1);
      if (piece.max === Number.POSITIVE_INFINITY && states[last] === 1) next[last] = 1;
      alive = true;
    }
    if (!alive) return false;
    [states, next] = [next, states];
    leave(pattern, starts, states);
  }
  return states[end] === 1;
}

/** Adds the states that are reached without a character: a piece taken often enough may be left. */
function leave(pattern: CompiledPattern, starts: readonly number[], states: Uint8Array): void {
  for (let index = 0; index < pattern.length; index += 1) {
    const after = starts[index + 1] ?? 0;
    const taken = states.indexOf(1, (starts[index] ?? 0) + (pattern[index]?.min ?? 0));
    if (taken < 0) return;
    if (taken < after) states[after] = 1;
  }
}

const accepts = ({ negated, ranges }: Accepts, code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to) !== negated;

function readAtom(
  letters: readonly string[],
  at: number,
): { accepts: Accepts; next: number } | null {
  const letter = letters[at] ?? "";
  if (letter === "[") return readClass(letters, at + 1);
  if (letter === ".")
    return {
      accepts: {
        negated: true,
        ranges: [
          [10, 10],
          [13, 13],
        ],
      },
      next: at + 1,
    };
  if (letter === "\\") {
    const escaped = readEscape(letters[at + 1]);
    return escaped && { accepts: { negated: false, ranges: escaped }, next: at + 2 };
  }
  if ("()|?*+{}]^$".includes(letter)) return null;
  return { accepts: { negated: false, ranges: [single(letter)] }, next: at + 1 };
}

function readClass(
  letters: readonly string[],
  start: number,
): { accepts: Accepts; next: number } | null {
  let at = start;
  const negated = letters[at] === "^";
  if (negated) at += 1;
  const ranges: (readonly [number, number])[] = [];
  while (at < letters.length && letters[at] !== "]") {
    if (letters[at] === "[") return null;
    const isEscape = letters[at] === "\\";
    const from = isEscape ? readEscape(letters[at + 1]) : [single(letters[at] ?? "")];
    if (!from) return null;
    at += isEscape ? 2 : 1;
    const [low] = from[0] ?? [0];
    if (
      letters[at] === "-" &&
      letters[at + 1] !== "]" &&
      letters[at + 1] !== undefined &&
      from.length === 1 &&
      from[0]?.[0] === from[0]?.[1]
    ) {
      const endEscape = letters[at + 1] === "\\";
      const to = endEscape ? readEscape(letters[at + 2]) : [single(letters[at + 1] ?? "")];
      const high = to?.[0]?.[1];
      if (to?.length !== 1 || high === undefined || high < low) return null;
      ranges.push([low, high]);
      at += endEscape ? 3 : 2;
    } else ranges.push(...from);
  }
  if (letters[at] !== "]" || ranges.length === 0) return null;
  return { accepts: { negated, ranges }, next: at + 1 };
}

function readEscape(letter: string | undefined): readonly (readonly [number, number])[] | null {
  if (letter === undefined) return null;
  const known = classes[letter];
  if (known && Object.hasOwn(classes, letter)) return known;
  return /^[^0-9A-Za-z]$/u.test(letter) ? [single(letter)] : null;
}

function readRepeat(
  letters: readonly string[],
  at: number,
): { min: number; max: number; next: number } | null {
  const letter = letters[at];
  const simple =
    letter === "?"
      ? [0, 1]
      : letter === "*"
        ? [0, Number.POSITIVE_INFINITY]
        : letter === "+"
          ? [1, Number.POSITIVE_INFINITY]
          : null;
  if (simple) return { min: simple[0] ?? 0, max: simple[1] ?? 1, next: at + 1 };
  if (letter !== "{") return { min: 1, max: 1, next: at };
  const end = letters.indexOf("}", at);
  const [, low, comma, high] =
    /^(\d{1,3})(,?)(\d{0,3})$/.exec(letters.slice(at + 1, end).join("")) ?? [];
  if (end < 0 || low === undefined) return null;
  const min = Number(low);
  const max = !comma ? min : high ? Number(high) : Number.POSITIVE_INFINITY;
  if (min > maxRepeat || (Number.isFinite(max) && (max > maxRepeat || max < min || max === 0)))
    return null;
  return { min, max, next: end + 1 };
}

const single = (letter: string): readonly [number, number] => {
  const code = letter.codePointAt(0) ?? 0;
  return [code, code];
};
