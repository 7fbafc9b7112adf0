import type { Store } from "../contract/schemas.ts";
import { invalidOption } from "../input/option-error.ts";
import type { ReceiptSeller } from "./customer/options.ts";
import { checkLanguage, checkTexts } from "./texts/check-texts.ts";
import { type CheckoutTexts, textValues } from "./texts/text-names.ts";

/** The options that change the look and the texts of the checkout page. */
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
   * The texts by language, like `{ es: {…}, pt: { pay: "…" } }`. They are laid
   * over the page's own of `en` and `pt`; what another language leaves out is
   * English.
   */
  readonly texts?: Readonly<Record<string, Partial<CheckoutTexts>>> | undefined;
  /**
   * Whether buyers can type a coupon on the page. Default false, because a field for a code that
   * one does not have makes buyers leave to look for one. A function decides for each store.
   */
  readonly coupons?: boolean | ((store: Store) => boolean | Promise<boolean>) | undefined;
  /**
   * Whether a buyer who has paid stays on the page, which shows the order and what happens next;
   * its button leads to `success_url`. By default the buyer is sent to `success_url` at once.
   */
  readonly endPage?: boolean | undefined;
  /**
   * Gives the seller, with what the law of the store's country asks for. The page shows it at its
   * end. Default: the `seller` of `customerPage`. Without either, the page names no seller.
   */
  readonly seller?:
    | ((
        store: Store,
      ) => ReceiptSeller | null | undefined | Promise<ReceiptSeller | null | undefined>)
    | undefined;
  /**
   * Tells a buyer who has paid what happens next: plain text of at most 2,000 characters by
   * language, like `{ en: "…", pt: "…" }`, or a function of the store and the page's language
   * that gives the text, or null for none. A line feed begins a new line.
   */
  readonly whatNext?:
    | Readonly<Record<string, string>>
    | ((
        store: Store,
        language: string,
      ) => string | null | undefined | Promise<string | null | undefined>)
    | undefined;
}

/** The options of the checkout page, checked and with their defaults. */
export interface CheckoutPageSettings {
  readonly brandColor: NonNullable<CheckoutPageOptions["brandColor"]> | null;
  readonly pictures: boolean;
  readonly texts: NonNullable<CheckoutPageOptions["texts"]>;
  readonly coupons: NonNullable<CheckoutPageOptions["coupons"]>;
  readonly endPage: boolean;
  readonly seller: CheckoutPageOptions["seller"];
  readonly whatNext: NonNullable<CheckoutPageOptions["whatNext"]>;
}

/** Throws `invalid_option` for a wrong option. */
export function readCheckoutPage(given: CheckoutPageOptions = {}): CheckoutPageSettings {
  const { brandColor = null, pictures = true, texts = {} } = given;
  const { coupons = false, endPage = false, whatNext = {}, seller } = given;
  if (brandColor !== null && typeof brandColor !== "function" && !isColor(brandColor))
    invalidOption(
      "checkoutPage.brandColor",
      "must be a colour like `#1a6b3c`, or a function of the store that gives one",
    );
  const isForStores = typeof coupons === "function";
  for (const [name, value] of Object.entries({
    pictures,
    endPage,
    coupons: isForStores || coupons,
  }))
    if (typeof value !== "boolean") invalidOption(`checkoutPage.${name}`, "must be true or false");

  checkTexts(texts, {
    option: "checkoutPage.texts",
    values: textValues,
    guide: "docs/checkout-page.md",
  });
  if (typeof whatNext !== "function") {
    if (typeof whatNext !== "object" || whatNext === null)
      invalidOption(
        "checkoutPage.whatNext",
        "must be an object with texts by language, or a function",
      );
    for (const [language, text] of Object.entries(whatNext)) checkNext(language, text);
  }
  return { brandColor, pictures, texts, coupons, endPage, seller, whatNext };
}

export const isColor = (value: unknown): value is string =>
  typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value);

function checkNext(language: string, text: unknown): void {
  const option = `checkoutPage.whatNext.${language}`;
  checkLanguage(option, language);
  if (typeof text !== "string" || text.trim() === "" || text.length > 2_000)
    invalidOption(option, "must be a text of 1 to 2,000 characters");
}
