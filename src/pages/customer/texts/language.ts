import { createChooser, type Speaker } from "../../texts/choose-language.ts";
import { type CustomerTexts, english } from "./texts-en.ts";
import { portuguese } from "./texts-pt.ts";

export type CustomerTextName = keyof CustomerTexts;

/** Gives the page's texts in the language of one reader. */
export type CustomerLanguage = Speaker<CustomerTextName>;

const tables = new Map<string, CustomerTexts>([
  ["en", english],
  ["pt", portuguese],
]);

export const chooseCustomerLanguage = createChooser<CustomerTextName>(tables, english);
