import type { Chooser, Speaker } from "../../../domain/text/choose-language.ts";
import { layOver, type OwnTexts } from "../../texts/language.ts";
import type { CustomerTextName } from "./text-names.ts";
import { english } from "./texts-en.ts";
import { portuguese } from "./texts-pt.ts";

/** Gives the page's texts in the language of one reader. */
export type CustomerLanguage = Speaker<CustomerTextName>;

export const createCustomerLanguages = (
  given: OwnTexts<CustomerTextName> = {},
): Chooser<CustomerTextName> => layOver(given, { english, portuguese });
