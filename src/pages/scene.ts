import type { CheckoutView } from "../payments/checkout-service.ts";
import { formatAmount } from "./format.ts";
import type { Language } from "./language.ts";

/** What every part of a session's page is rendered from. */
export interface Scene {
  readonly view: CheckoutView;
  readonly language: Language;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Path of the page itself, to which its forms are sent. */
  readonly path: string;
  /** The page's own origin. */
  readonly origin: string;
  readonly files: PageFiles;
  /** Whether pictures of products, methods and the store are shown. */
  readonly pictures: boolean;
  /** Whether the buyer chooses the outcome of a test payment. */
  readonly sandbox: boolean;
}

/** The addresses of the page's own files. */
export interface PageFiles {
  readonly style: string;
  readonly script: string;
}

/** An amount of the session in the reader's notation. */
export const amountText = ({ view, language }: Scene, amount: number): string =>
  formatAmount(amount, view.session.currency, language.locale);
