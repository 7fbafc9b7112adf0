/** A range has a first and a last code point, both inclusive. */
type Range = readonly [number, number];

/**
 * A piece accepts these characters: those in the ranges, or all others when
 * negated. The ranges are sorted and do not touch, so that a character is found
 * among them by halving.
 */
interface CharacterSet {
  readonly negated: boolean;
  readonly ranges: readonly Range[];
}

interface Piece {
  readonly accepts: CharacterSet;
  readonly min: number;
  /** Infinity when there is no upper limit. */
  readonly max: number;
}

/** The pieces match one after the other, each from `min` to `max` characters. */
export type CompiledPattern = readonly Piece[];

export const maxRepeat = 500;
const maxStates = 5_000;
/** Holds the classes `\d`, `\w` and `\s`, as ranges of code points. */
const classes: Readonly<Record<string, readonly Range[]>> = {
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
 * Compiles a small part of regular expressions, which is matched without
 * backtracking: literals, `.`, `\d`, `\w`, `\s`, escaped punctuation and `[…]`
 * classes, each with `?`, `*`, `+`, `{m}`, `{m,}` or `{m,n}` up to 500. A pattern
 * always matches the whole text, so `^` at its start and `$` at its end change
 * nothing. Every other syntax gives null.
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

/**
 * Says whether the pattern matches the whole text. It follows all possible states
 * at once, so its time grows with the length of the text times that of the pattern,
 * and never exponentially.
 */
export function matchesPattern(pattern: CompiledPattern, text: string): boolean {
  // A state is a piece and how many characters it has taken; a byte says whether it is reached. A
  // piece without an upper limit counts only to `min`. The last byte is the end of the pattern.
  const starts = startsOf(pattern);
  const end = starts.at(-1) ?? 0;

  let states = new Uint8Array(end + 1);
  let next = new Uint8Array(end + 1);
  states[0] = 1;
  reachNextPieces(pattern, starts, states);

  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    next.fill(0);
    let accepted = false;

    // Plain loops over the bytes: this is the one place where a stranger's text meets long work.
    for (let index = 0; index < pattern.length; index += 1) {
      const piece = pattern[index];
      if (!piece || !accepts(piece.accepts, code)) continue;
      const last = (starts[index + 1] ?? 0) - 1;
      for (let state = starts[index] ?? 0; state < last; state += 1)
        if (states[state] === 1) {
          next[state + 1] = 1;
          accepted = true;
        }
      if (piece.max === Number.POSITIVE_INFINITY && states[last] === 1) {
        next[last] = 1;
        accepted = true;
      }
    }
    if (!accepted) return false;

    [states, next] = [next, states];
    reachNextPieces(pattern, starts, states);
  }
  return states[end] === 1;
}

/**
 * Adds the states that need no further character: the next piece may begin after
 * `min` of this.
 */
function reachNextPieces(
  pattern: CompiledPattern,
  starts: readonly number[],
  states: Uint8Array,
): void {
  for (let index = 0; index < pattern.length; index += 1) {
    const after = starts[index + 1] ?? 0;
    for (let state = (starts[index] ?? 0) + (pattern[index]?.min ?? 0); state < after; state += 1)
      if (states[state] === 1) {
        states[after] = 1;
        break;
      }
  }
}

/** Gives the first state of each piece, and the end. */
function startsOf(pattern: CompiledPattern): readonly number[] {
  const starts = [0];
  for (const { min, max } of pattern)
    starts.push((starts.at(-1) ?? 0) + (Number.isFinite(max) ? max : min) + 1);
  return starts;
}

/** A piece costs as much as so many states: its class is looked up for each letter. */
const statesPerPiece = 16;

/** Gives the steps that it takes to match a text of this length, some two nanoseconds each. */
export const stepsOf = (pattern: CompiledPattern, length: number): number =>
  ((startsOf(pattern).at(-1) ?? 0) + pattern.length * statesPerPiece) * length;

/** The patterns of one request take at most so many steps: some 50 ms of its processor. */
export const maxSteps = 25_000_000;

function accepts({ negated, ranges }: CharacterSet, code: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle] ?? [0, -1];
    if (code >= from && code <= to) return !negated;
    if (code < from) high = middle;
    else low = middle + 1;
  }
  return negated;
}

/** Sorts ranges and joins those that overlap or touch. */
function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = joined.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else joined.push([from, to]);
  }
  return joined;
}

/** A part of a pattern that was read, and the index of the letter after it. */
interface ReadSet {
  readonly accepts: CharacterSet;
  readonly next: number;
}

function readAtom(letters: readonly string[], at: number): ReadSet | null {
  const letter = letters[at] ?? "";

  if (letter === "[") return readClass(letters, at + 1);
  if (letter === ".") {
    const lineEnds: readonly Range[] = [single("\n"), single("\r")];
    return { accepts: { negated: true, ranges: lineEnds }, next: at + 1 };
  }
  if (letter === "\\") {
    const escaped = readEscape(letters[at + 1]);
    return escaped && { accepts: { negated: false, ranges: escaped }, next: at + 2 };
  }
  if ("()|?*+{}]^$".includes(letter)) return null;
  return { accepts: { negated: false, ranges: [single(letter)] }, next: at + 1 };
}

function readClass(letters: readonly string[], start: number): ReadSet | null {
  let at = start;
  const negated = letters[at] === "^";
  if (negated) at += 1;

  const ranges: Range[] = [];
  while (at < letters.length && letters[at] !== "]") {
    if (letters[at] === "[") return null;
    const isEscape = letters[at] === "\\";
    const from = isEscape ? readEscape(letters[at + 1]) : [single(letters[at] ?? "")];
    if (!from) return null;
    at += isEscape ? 2 : 1;

    const [low] = from[0] ?? [0];
    const isOneCharacter = from.length === 1 && from[0]?.[0] === from[0]?.[1];
    const hasUpperEnd =
      letters[at] === "-" && letters[at + 1] !== "]" && letters[at + 1] !== undefined;
    if (hasUpperEnd && isOneCharacter) {
      const endEscape = letters[at + 1] === "\\";
      const to = endEscape ? readEscape(letters[at + 2]) : [single(letters[at + 1] ?? "")];
      const high = to?.[0]?.[1];
      if (to?.length !== 1 || high === undefined || high < low) return null;
      ranges.push([low, high]);
      at += endEscape ? 3 : 2;
    } else ranges.push(...from);
  }

  if (letters[at] !== "]" || ranges.length === 0) return null;
  return { accepts: { negated, ranges: joinRanges(ranges) }, next: at + 1 };
}

function readEscape(letter: string | undefined): readonly Range[] | null {
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
  if (letter === "?") return { min: 0, max: 1, next: at + 1 };
  if (letter === "*") return { min: 0, max: Number.POSITIVE_INFINITY, next: at + 1 };
  if (letter === "+") return { min: 1, max: Number.POSITIVE_INFINITY, next: at + 1 };
  if (letter !== "{") return { min: 1, max: 1, next: at };

  const end = letters.indexOf("}", at);
  const bounds = letters.slice(at + 1, end).join("");
  const [, low, comma, high] = /^(\d{1,3})(?:(,)(\d{0,3}))?$/.exec(bounds) ?? [];
  if (end < 0 || low === undefined) return null;

  const min = Number(low);
  const upper = high ? Number(high) : Number.POSITIVE_INFINITY;
  const max = comma ? upper : min;
  const isBadMax = Number.isFinite(max) && (max > maxRepeat || max < min || max === 0);
  if (min > maxRepeat || isBadMax) return null;

  return { min, max, next: end + 1 };
}

const single = (letter: string): Range => {
  const code = letter.codePointAt(0) ?? 0;
  return [code, code];
};
