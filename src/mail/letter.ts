/** A message before it is HTML or plain text: the same words for both. */
export interface Letter {
  readonly kind: MessageKind;
  readonly subject: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** What was bought, with its amounts. Empty where nothing was. */
  readonly lines: readonly LetterLine[];
  /** The sums below the lines, the total last. */
  readonly sums: readonly (readonly [label: string, amount: string])[];
  /** What the reader is asked to do, or may do. */
  readonly button: { readonly label: string; readonly url: string; readonly note: string } | null;
}

interface LetterLine {
  readonly name: string;
  /** What the buyer has chosen or filled in. */
  readonly details: readonly string[];
  readonly quantity: number;
  readonly amount: string;
}

export const messageKinds = [
  "order_confirmation",
  "receipt",
  "payment_failed",
  "renewal_notice",
  "cancellation",
  "refund",
  "page_link",
] as const;

/** What a message is about. A later version may have more kinds. */
export type MessageKind = (typeof messageKinds)[number];
