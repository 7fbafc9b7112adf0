import { filled, type Words } from "../words.ts";

/** The page brings the words of its language, so that no reader loads those of another. */
const words = JSON.parse(document.getElementById("words")?.textContent ?? "{}") as Words;

export const say = (name: keyof Words, values: Readonly<Record<string, string>> = {}): string =>
  filled(words[name] ?? name, values);
