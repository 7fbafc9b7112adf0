/** What a command writes. Results go to stdout, everything beside them to stderr. */
export interface Screen {
  readonly json: boolean;
  /** True when a person can be asked. */
  readonly interactive: boolean;
  /** The columns of the terminal, and 80 where there is none. */
  readonly width: number;
  /** True when stdout is a terminal that can be drawn on again. */
  readonly redraws: boolean;
  readonly paint: Paint;
  /** Writes a line of the result, unless the result is JSON. */
  line(text?: string): void;
  /** Writes the result: as JSON with `--json`, else as the lines that `human` gives. */
  result(value: unknown, human: () => readonly string[]): void;
  /** Writes one value of a stream: a line of JSON with `--json`, else what `human` gives. */
  item(value: unknown, human: () => string): void;
  /** Writes a line beside the result. */
  note(text: string): void;
  /** Draws over what the last call drew, on a terminal. */
  redraw(lines: readonly string[]): void;
  /** Shows how far long work is, at most five times a second, or every 5 s without a terminal. */
  progress(text: string): void;
  /** Ends the line of the progress. */
  settle(): void;
  /** Keeps a text out of everything that is written from now on. */
  hide(secret: string): void;
}

type Paint = Readonly<
  Record<"good" | "bad" | "warn" | "strong" | "soft", (text: string) => string>
>;

interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ScreenOptions {
  readonly json: boolean;
  readonly out: Stream;
  readonly err: Stream;
  readonly stdinIsTerminal: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  now(): number;
}

export function createScreen({ json, out, err, environment, ...rest }: ScreenOptions): Screen {
  const secrets = new Set<string>();
  const hidden = (text: string): string =>
    [...secrets].reduce((safe, secret) => safe.replaceAll(secret, "hk_…"), text);

  const colours = createColours();
  const { harmless } = colours;
  const shown = (text: string): string => hidden(colours.shown(text));
  const toOut = (text: string): unknown => out.write(shown(`${text}\n`));
  const width = Math.max(out.columns ?? 80, 40);
  // What a terminal breaks itself, it breaks within words. Programs read whole lines.
  const toScreen = (line: string): unknown => {
    const clean = harmless(line);
    return toOut(out.isTTY ? wrapLine(clean, width) : clean);
  };
  const plain = Boolean(environment["NO_COLOR"]) || environment["TERM"] === "dumb";
  const progress = createProgress(err, {
    write: (text) => err.write(shown(text)),
    harmless,
    now: rest.now,
  });
  let drawn = 0;

  return {
    json,
    interactive: rest.stdinIsTerminal && err.isTTY === true,
    width,
    redraws: out.isTTY === true && environment["TERM"] !== "dumb",
    paint: colours.paint(out.isTTY === true && !plain),
    line: (text = "") => void (json || toScreen(text)),
    result: (value, human) => void (json ? toOut(jsonOf(value, 2)) : human().map(toScreen)),
    item: (value, human) => void (json ? toOut(jsonOf(value)) : toScreen(human())),
    note(text) {
      progress.settle();
      const clean = harmless(text);
      const lines = err.isTTY ? wrapLine(clean, Math.max(err.columns ?? 80, 40)) : clean;
      err.write(shown(`${lines}\n`));
    },
    redraw(lines) {
      const back = drawn > 0 ? `\x1b[${drawn}A\x1b[J` : "";
      out.write(shown(`${back}${lines.map(harmless).join("\n")}\n`));
      drawn = lines.length;
    },
    ...progress,
    hide: (secret) => void secrets.add(secret),
  };
}

/**
 * Makes the colours of one screen. Each colour code holds a random number until it is written to
 * the terminal. A text of an owner or buyer cannot know the number, so its codes are removed.
 */
function createColours() {
  const own = `;${crypto.getRandomValues(new Uint32Array(4)).join("")}m`;
  // All control characters and the signs that change the direction of the text. Line ends, tabs
  // and the codes of `paint` are left out.
  const steering = new RegExp(
    String.raw`(?!\x1b\[\d+${own}|[\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]`,
    "gu",
  );

  return {
    /** Replaces what steers a terminal by blanks. */
    harmless: (text: string): string => text.replace(steering, " "),
    /** Gives the text as the terminal gets it. */
    shown: (text: string): string => text.replaceAll(own, "m"),
    // Colours of the terminal's own palette, which fits its background, and its bold and faint.
    paint(on: boolean): Paint {
      const style = (code: number) => (text: string) =>
        on ? `\x1b[${code}${own}${text}\x1b[0${own}` : text;
      return { good: style(32), bad: style(31), warn: style(35), strong: style(1), soft: style(2) };
    },
  };
}

/** Writes JSON, and escapes what steers a terminal and `JSON.stringify` leaves as it is. */
const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

interface ProgressParts {
  write(text: string): unknown;
  harmless(text: string): string;
  now(): number;
}

function createProgress(
  err: Stream,
  { write, harmless, now }: ProgressParts,
): Pick<Screen, "progress" | "settle"> {
  const everyMs = err.isTTY ? 200 : 5_000;
  let last = Number.NEGATIVE_INFINITY;
  let isOpen = false;

  return {
    progress(text) {
      if (now() - last < everyMs) return;
      last = now();
      const shown = harmless(text);
      write(err.isTTY ? `\r\x1b[K${shown}` : `${shown}\n`);
      isOpen = err.isTTY === true;
    },
    settle() {
      if (isOpen) err.write("\r\x1b[K");
      isOpen = false;
    },
  };
}

/** Counts the columns of a text, without the codes that colour it. */
const widthOf = (text: string): number => [...text.replace(/\x1b\[[\d;]*m/g, "")].length;

/** The words of a field and the gap behind it, or what a line begins with. */
const hangs = /^(?:[\w.]+ {2,}| *)/;

/**
 * Breaks a line at its spaces where it is wider than the terminal. What follows stands under the
 * value of a field, or under the beginning of a sentence. A word of its own is never broken, and
 * a text of several lines is left as it is.
 */
export function wrapLine(line: string, width: number): string {
  if (widthOf(line) <= width || line.includes("\n")) return line;

  const head = hangs.exec(line)?.[0] ?? "";
  const indent = " ".repeat(head.length < width / 2 ? head.length : 0);
  let text = "";
  let last = head;
  for (const word of line.slice(head.length).split(" ")) {
    const isFirst = last === head || last === indent;
    const longer = isFirst ? `${last}${word}` : `${last} ${word}`;
    if (isFirst || widthOf(longer) <= width) last = longer;
    else {
      text += `${last}\n`;
      last = `${indent}${word}`;
    }
  }
  return text + last;
}
