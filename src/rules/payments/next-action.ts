/** What the buyer does next to pay. Times are epoch milliseconds. */
export type NextAction =
  /** The buyer goes to this address: https, or http on localhost. */
  | { readonly type: "redirect"; readonly url: string }
  /** The buyer pays this text, which is shown as a QR code and can be copied (Pix). */
  | { readonly type: "qr_code"; readonly text: string; readonly expires_at: number | null }
  /** A page of the host pays with the provider's script, e.g. Stripe's Payment Element. */
  | {
      readonly type: "client_secret";
      readonly client_secret: string;
      readonly publishable_key: string;
      readonly account?: string;
    }
  /** The buyer pays this number at a bank or a shop (boleto). */
  | {
      readonly type: "voucher";
      readonly number: string;
      readonly url?: string;
      readonly expires_at: number | null;
    };
