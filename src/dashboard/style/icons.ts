import { type Html, raw } from "../../contract/html.ts";
import type { Section } from "../screen.ts";

/** Draws lines in the colour of the text around them. */
const svg = (shape: string): Html =>
  raw(
    '<svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" ' +
      `stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`,
  );

export const icons: Readonly<
  Record<Section | "menu" | "keyboard" | "stores" | "person" | "leave", Html>
> = {
  overview: svg('<path d="M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4v-5H9v5H5a1 1 0 0 1-1-1z"/>'),
  orders: svg('<path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9.5 8h5M9.5 12h5"/>'),
  customers: svg(
    '<circle cx="9" cy="8" r="3.5"/><path d="M2.5 20a6.5 6.5 0 0 1 13 0"/>' +
      '<path d="M15.5 4.9a3.5 3.5 0 0 1 0 6.2M18 14.4a6.5 6.5 0 0 1 3.5 5.6"/>',
  ),
  subscriptions: svg(
    '<path d="M4.5 12a7.5 7.5 0 0 1 13-5l2 2M19.5 12a7.5 7.5 0 0 1-13 5l-2-2"/>' +
      '<path d="M19.5 4v5h-5M4.5 20v-5h5"/>',
  ),
  payments: svg(
    '<rect x="3" y="6" width="18" height="12" rx="2"/><circle cx="12" cy="12" r="2.5"/>' +
      '<path d="M6.5 12h.01M17.5 12h.01"/>',
  ),
  refunds: svg('<path d="M9 6 4.5 10.5 9 15M5 10.5h9a5 5 0 0 1 0 10h-3"/>'),
  disputes: svg('<path d="M12 4 2.5 20h19zM12 10v4.5M12 17.3v.01"/>'),
  checkout_sessions: svg(
    '<path d="M3 4h2.5l2 11h10l2-8H6"/>' +
      '<circle cx="9" cy="19" r="1.4"/><circle cx="16" cy="19" r="1.4"/>',
  ),
  products: svg('<path d="m12 3 8 4.5v9L12 21l-8-4.5v-9z"/><path d="m4 7.5 8 4.5 8-4.5M12 12v9"/>'),
  categories: svg(
    '<rect x="4" y="4" width="7" height="7" rx="1.5"/>' +
      '<rect x="13" y="4" width="7" height="7" rx="1.5"/>' +
      '<rect x="4" y="13" width="7" height="7" rx="1.5"/>' +
      '<rect x="13" y="13" width="7" height="7" rx="1.5"/>',
  ),
  coupons: svg(
    '<path d="M4 7h16v3a2 2 0 0 0 0 4v3H4v-3a2 2 0 0 0 0-4z"/>' +
      '<path d="M14 7v2M14 11.5v1M14 15v2"/>',
  ),
  payment_methods: svg(
    '<rect x="3" y="5.5" width="18" height="13" rx="2"/><path d="M3 10h18M7 15h3"/>',
  ),
  addresses: svg(
    '<circle cx="12" cy="12" r="8.5"/><path d="M3.5 12h17M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17"/>',
  ),
  keys: svg('<circle cx="8" cy="15" r="4"/><path d="m11 12 8.5-8.5M16 7l3 3"/>'),
  webhooks: svg(
    '<path d="M10 13.5a3.5 3.5 0 0 0 5 0l3.5-3.5a3.5 3.5 0 0 0-5-5L12 6.5"/>' +
      '<path d="M14 10.5a3.5 3.5 0 0 0-5 0L5.5 14a3.5 3.5 0 0 0 5 5l1.5-1.5"/>',
  ),
  deliveries: svg('<path d="M20 4 10.5 13.5M20 4l-6 16-3.5-6.5L4 10z"/>'),
  events: svg('<path d="M13 3 5 14h6l-1 7 8-11h-6z"/>'),
  requests: svg('<path d="M4 6h16M4 12h10M4 18h7"/><path d="m15 16 2.5 2.5L22 14"/>'),
  keyboard: svg(
    '<rect x="2.5" y="6" width="19" height="12" rx="2"/>' +
      '<path d="M6 10h.01M10 10h.01M14 10h.01M18 10h.01M8 14h8"/>',
  ),
  audit: svg('<path d="M6 3h9l4 4v14H6z"/><path d="M9.5 12h6M9.5 16h6M9.5 8h2.5"/>'),
  alerts: svg('<path d="M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4"/>'),
  settings: svg(
    '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/>' +
      '<circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>',
  ),
  people: svg(
    '<circle cx="9" cy="8.5" r="3.5"/><path d="M2.5 19.5a6.5 6.5 0 0 1 13 0"/>' +
      '<path d="M15.5 5.3a3.5 3.5 0 0 1 0 6.4M18 14a6.5 6.5 0 0 1 3.5 5.5"/>',
  ),
  sessions: svg(
    '<path d="M12 3 5 6v5c0 4.5 3 8 7 10 4-2 7-5.5 7-10V6z"/><path d="m9 12 2 2 4-4"/>',
  ),
  menu: svg('<path d="M4 7h16M4 12h16M4 17h16"/>'),
  stores: svg(
    '<path d="M4 9.5 5.5 4h13L20 9.5M5 11v9h14v-9M4 9.5' +
      'a2.7 2.7 0 0 0 5.3 0 2.7 2.7 0 0 0 5.4 0 2.7 2.7 0 0 0 5.3 0"/>',
  ),
  person: svg('<circle cx="12" cy="8" r="4"/><path d="M4.5 20a7.5 7.5 0 0 1 15 0"/>'),
  leave: svg('<path d="M10 4H5v16h5M14 8l4 4-4 4M18 12H9"/>'),
};
