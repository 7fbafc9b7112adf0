import { createChooser, type Speaker } from "../domain/text/choose-language.ts";
import type { TextName } from "../pages/texts/text-names.ts";
import { english as pageInEnglish } from "../pages/texts/texts-en.ts";
import { portuguese as pageInPortuguese } from "../pages/texts/texts-pt.ts";
import { english, type MailTexts } from "./texts-en.ts";
import { portuguese } from "./texts-pt.ts";

type Name = keyof MailTexts | TextName;

/** Gives the texts of messages, and those of the checkout page, in one language. */
export type MailLanguage = Speaker<Name>;

const inEnglish = { ...pageInEnglish, ...english };

export const chooseMailLanguage = createChooser<Name>(
  new Map([
    ["en", inEnglish],
    ["pt", { ...pageInPortuguese, ...portuguese }],
  ]),
  inEnglish,
);
