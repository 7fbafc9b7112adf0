import type { CheckoutView } from "../payments/checkout/checkout-service.ts";
import type { ReceiptSeller } from "./customer/options.ts";
import type { WhatNext } from "./parts/what-next.ts";
import { formatAmount } from "./texts/format.ts";
import type { Language } from "./texts/language.ts";

/** What every part of a session's page is rendered from. */
export interface Scene {
  readonly view: CheckoutView;
  readonly language: Language;
  /** In epoch milliseconds. */
  readonly now: number;
  /** True when the clock of the test mode was turned: the page says which time it is. */
  readonly isTurned: boolean;
  /** The page and its files are below this path. */
  readonly base: string;
  /** The path of the page itself, to which its forms are sent. */
  readonly path: string;
  /** The session's token, which the path holds too. */
  readonly token: string;
  /** The address of the page of buyers. Null when the host has none. */
  readonly customerPageUrl: string | null;
  /** The page's own origin. */
  readonly origin: string;
  readonly files: PageFiles;
  /** True when pictures of products, methods and the store are shown. */
  readonly pictures: boolean;
  /** True when the buyer chooses the outcome of a test payment. */
  readonly sandbox: boolean;
  /** Who sells, as the page says at its end. */
  readonly seller: ReceiptSeller | null;
  /** True when the buyer can type a coupon, or remove it. */
  readonly takesCoupon: boolean;
  /** The store's own words for a buyer who has paid. It is null in any other state. */
  readonly whatNext: WhatNext | null;
}

/** The page's own files have these addresses. */
export interface PageFiles {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

/** Writes an amount of the session in the reader's notation. */
export const amountText = ({ view, language }: Scene, amount: number): string =>
  formatAmount(amount, view.session.currency, language.locale);
