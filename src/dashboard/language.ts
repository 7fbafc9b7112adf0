import { type Chooser, createChooser, type Speaker } from "../domain/text/choose-language.ts";
import { english } from "./texts/en/en.ts";
import { portuguese } from "./texts/pt/pt.ts";
import type { Translated } from "./texts/translated.ts";

export type TextName = keyof typeof english;

/** Gives the dashboard's texts in the language of one reader. */
export type Language = Speaker<TextName>;

export const chooseLanguage: Chooser<TextName> = createChooser(
  new Map<string, Translated<typeof english>>([
    ["en", english],
    ["pt", portuguese],
  ]),
  english,
);

export const isTextName = (name: string): name is TextName => Object.hasOwn(english, name);
