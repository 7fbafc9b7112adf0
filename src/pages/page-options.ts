import type { Store } from "../contract/schemas.ts";
import { isText } from "../domain/plural.ts";
import { invalidOption } from "../input/option-error.ts";
import { type CheckoutTexts, textNames } from "./texts/text-names.ts";

/** These options change the look and the texts of the checkout page. */
export interface CheckoutPageOptions {
  /**
   * The button and the links have this colour, `#rrggbb`: one for all stores, or a
   * function of the store that gives null for the page's own. Where the colour has
   * too little contrast with what is behind it, a darker or lighter one is
   * computed.
   */
  readonly brandColor?:
    | string
    | ((store: Store) => string | null | undefined | Promise<string | null | undefined>)
    | undefined;
  /**
   * The pictures of products, methods and the store are shown when this is true, as
   * it is by default. They are the page's only requests to other hosts.
   */
  readonly pictures?: boolean | undefined;
  /**
   * Holds texts by language, like `{ es: {…}, pt: { pay: "…" } }`. They are laid
   * over the page's own of `en` and `pt`; what another language leaves out is
   * English.
   */
  readonly texts?: Readonly<Record<string, Partial<CheckoutTexts>>> | undefined;
}

/** These are the options of the checkout page, checked and with their defaults. */
export interface CheckoutPageSettings {
  readonly brandColor: NonNullable<CheckoutPageOptions["brandColor"]> | null;
  readonly pictures: boolean;
  readonly texts: NonNullable<CheckoutPageOptions["texts"]>;
}

/** Throws `invalid_option` for a wrong option. */
export function readCheckoutPage(given: CheckoutPageOptions = {}): CheckoutPageSettings {
  const { brandColor = null, pictures = true, texts = {} } = given;
  if (brandColor !== null && typeof brandColor !== "function" && !isColor(brandColor))
    invalidOption(
      "checkoutPage.brandColor",
      "must be a colour like `#1a6b3c`, or a function of the store that gives one",
    );
  if (typeof pictures !== "boolean")
    invalidOption("checkoutPage.pictures", "must be true or false");

  for (const [language, table] of Object.entries(texts)) checkTexts(language, table);
  return { brandColor, pictures, texts };
}

export const isColor = (value: unknown): value is string =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);

const names: ReadonlySet<string> = new Set(textNames);

function checkTexts(language: string, table: Partial<CheckoutTexts>): void {
  const option = `checkoutPage.texts.${language}`;
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language))
    invalidOption(option, "must be named by a language tag like `es` or `pt-PT`");
  if (typeof table !== "object" || table === null)
    invalidOption(option, "must be an object with texts by their names");

  for (const [name, text] of Object.entries(table)) {
    if (!names.has(name))
      invalidOption(`${option}.${name}`, "is no text of the page: see docs/checkout-page.md");
    if (text !== undefined && !isText(text))
      invalidOption(
        `${option}.${name}`,
        "must be a text, or an object with a text for each plural form, `other` among them",
      );
  }
}
