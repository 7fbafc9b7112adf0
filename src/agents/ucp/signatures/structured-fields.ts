/** A value of a structured field (RFC 9651), and the one text by which it is written. */
interface Bare {
  /** Null for a token and for a date: nothing here reads one. */
  readonly value: string | number | boolean | Uint8Array | null;
  readonly text: string;
}

/** A value with its parameters. `text` has both, as RFC 9651 writes them. */
export interface Item extends Bare {
  readonly params: ReadonlyMap<string, Bare>;
}

/** A member of a dictionary. `items` is null unless the member is an inner list. */
export interface Member extends Item {
  readonly items: readonly Item[] | null;
}

export type Dictionary = ReadonlyMap<string, Member>;

interface Source {
  readonly text: string;
  at: number;
}

/**
 * Reads a field that is a dictionary. Gives null for any other text. By RFC 9651 the last of two
 * members with one name counts. Here such a text is refused: another reader may take the first.
 */
export function parseDictionary(text: string): Dictionary | null {
  const source: Source = { text: text.trim(), at: 0 };
  try {
    return source.text === "" ? new Map() : readDictionary(source);
  } catch {
    return null;
  }
}

const name = /[a-z*][a-z0-9_\-.*]*/y;

function readDictionary(source: Source): Dictionary {
  const members = new Map<string, Member>();

  for (;;) {
    const [key] = need(source, name);
    if (members.has(key)) refuse();
    members.set(key, take(source, /=/y) ? readMember(source) : withParams(source, yes));
    if (source.at === source.text.length) return members;

    need(source, /[ \t]*,[ \t]*/y);
  }
}

function readMember(source: Source): Member {
  if (!take(source, /\(/y)) return withParams(source, readBare(source));

  const items: Item[] = [];
  take(source, / */y);
  while (!take(source, /\)/y)) {
    items.push(withParams(source, readBare(source)));
    need(source, / +|(?=\))/y);
  }
  const text = `(${items.map((item) => item.text).join(" ")})`;
  return { ...withParams(source, { value: null, text }), items };
}

function withParams(source: Source, { value, text }: Bare): Member {
  const params = new Map<string, Bare>();

  while (take(source, /; */y)) {
    const [key] = need(source, name);
    if (params.has(key)) refuse();
    params.set(key, take(source, /=/y) ? readBare(source) : yes);
  }
  const written = Array.from(params, ([key, param]) =>
    param.value === true ? `;${key}` : `;${key}=${param.text}`,
  );
  return { value, params, text: text + written.join(""), items: null };
}

const yes: Bare = { value: true, text: "?1" };

/** The forms of a value. A decimal is tried before an integer, which it begins with. */
const forms: readonly (readonly [RegExp, (whole: string) => Bare])[] = [
  [
    /"(?:[ !#-[\]-~]|\\["\\])*"/y,
    (text) => ({ value: text.slice(1, -1).replace(/\\(.)/g, "$1"), text }),
  ],
  [/:[A-Za-z0-9+/]*={0,2}:/y, (text) => bytesOf(text.slice(1, -1))],
  [/-?\d{1,12}\.\d{1,3}(?![\d.])/y, (text) => decimalOf(Number(text))],
  [/-?\d{1,15}(?![\d.])/y, (text) => ({ value: Number(text), text: String(Number(text)) })],
  [/\?[01]/y, (text) => ({ value: text === "?1", text })],
  [/@-?\d{1,15}(?![\d.])/y, (text) => ({ value: null, text: `@${Number(text.slice(1))}` })],
  [/[A-Za-z*][\w:/!#$%&'*+\-.^`|~]*/y, (text) => ({ value: null, text })],
];

function readBare(source: Source): Bare {
  for (const [form, read] of forms) {
    const found = take(source, form);
    if (found) return read(found[0]);
  }
  return refuse();
}

/** Throws for text that is no Base64. Padding may be left out. */
function bytesOf(base64: string): Bare {
  const binary = atob(base64);
  const value = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  return { value, text: writeBytes(value) };
}

/** Writes bytes as the value of a structured field. */
export const writeBytes = (bytes: Uint8Array): string => `:${btoa(String.fromCharCode(...bytes))}:`;

const decimalOf = (value: number): Bare => ({
  value,
  text: Number.isInteger(value) ? `${value}.0` : String(value),
});

/** Takes what the pattern, which is sticky, finds at this place. */
function take(source: Source, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = source.at;
  const found = pattern.exec(source.text);
  if (found) source.at = pattern.lastIndex;
  return found;
}

const need = (source: Source, pattern: RegExp): RegExpExecArray =>
  take(source, pattern) ?? refuse();

function refuse(): never {
  throw new SyntaxError("The field cannot be read.");
}
