import { type Html, raw } from "../../contract/html.ts";
import type { PaymentMethod } from "../../contract/schemas.ts";

/** Draws lines in the colour of the text around them. */
const svg = (shape: string): Html =>
  raw(
    '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" ' +
      `stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`,
  );

const card = svg('<rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="M3 10h18M7 15h3"/>');

/** Stands for a payment method that has no picture of its own. */
export const methodIcons: Readonly<Record<PaymentMethod["type"], Html>> = {
  pix: svg(
    '<path d="M12 3.5 20.5 12 12 20.5 3.5 12z"/><path d="m8.5 12 3.5-3.5 3.5 3.5-3.5 3.5z"/>',
  ),
  card,
  boleto: svg('<path d="M4 6v12M7 6v12M10.5 6v12M13 6v12M17 6v12M20 6v12"/>'),
  wallet: svg(
    '<path d="M4 7.5A2.5 2.5 0 0 1 6.5 5H17v3M4 7.5V17a2 2 0 0 0 2 2h14V8H4.5M16 13.5h.01"/>',
  ),
  crypto: svg(
    '<circle cx="12" cy="12" r="8.5"/>' +
      '<path d="M10 8v8M10 8h3a2 2 0 0 1 0 4h-3 3.5a2 2 0 0 1 0 4H10"/>',
  ),
  other: card,
};

/** The signs beside the title of a state. */
export const stateIcons = {
  good: svg('<circle cx="12" cy="12" r="9"/><path d="m8 12.5 2.7 2.7L16 9.5"/>'),
  bad: svg('<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5h.01"/>'),
  waiting: svg('<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>'),
} as const;

export type StateIcon = keyof typeof stateIcons;
