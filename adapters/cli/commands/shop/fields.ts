import { readFileSync } from "node:fs";
import { end } from "../../frame/command.ts";
import type { Input } from "../../frame/input.ts";

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the fields of a record: `name=Coffee` is text, `price:=3450` is JSON, and
 * `--from` names a file of JSON, or `-` for stdin. The later of two wins.
 */
export function readFields(input: Input, words: readonly string[]): Fields {
  const file = input.text("from");
  const base = file === undefined ? {} : readObject(file);
  return { ...base, ...Object.fromEntries(words.map(readField)) };
}

function readObject(file: string): Fields {
  const value = parse(readText(file)) ?? end("usage", `${file} is not JSON.`);
  if (typeof value !== "object" || Array.isArray(value))
    return end("usage", `${file} must hold one JSON object.`);
  return value as Fields;
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    return end("usage", `${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function readField(word: string): readonly [name: string, value: unknown] {
  const [, name = "", kind, value = ""] = /^(\w+)(:?=)(.*)$/s.exec(word) ?? [];
  if (kind === "=") return [name, value];
  if (kind !== ":=")
    return end("usage", `${word} is not a field: write name=Coffee, or price:=3450 for JSON.`);

  const parsed = parse(value);
  return [name, parsed === undefined ? end("usage", `${name}:= needs JSON: ${value}`) : parsed];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
