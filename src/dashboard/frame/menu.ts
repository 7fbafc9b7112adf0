import type { DashboardAction } from "../../owner/actions.ts";
import type { TextName } from "../language.ts";
import type { DashboardSettings } from "../options.ts";
import type { Section } from "../screen.ts";

interface MenuGroup {
  readonly label: TextName | null;
  readonly entries: readonly {
    readonly section: Section;
    readonly path: string;
    /** The screen needs this right. The entry is shown only to people who have it. */
    readonly action?: DashboardAction;
  }[];
}

/** The places of the menu, in their order. */
export const menu: readonly MenuGroup[] = [
  { label: null, entries: [{ section: "overview", path: "" }] },
  {
    label: "menu_sales",
    entries: [
      { section: "orders", path: "orders" },
      { section: "customers", path: "customers" },
      { section: "subscriptions", path: "subscriptions" },
      { section: "payments", path: "payments" },
      { section: "refunds", path: "refunds" },
      { section: "disputes", path: "disputes" },
      { section: "checkout_sessions", path: "checkout-sessions" },
    ],
  },
  {
    label: "menu_catalog",
    entries: [
      { section: "products", path: "products" },
      { section: "categories", path: "categories" },
      { section: "coupons", path: "coupons" },
    ],
  },
  {
    label: "menu_checkout",
    entries: [
      { section: "payment_methods", path: "payment-methods" },
      { section: "addresses", path: "addresses" },
    ],
  },
  {
    label: "menu_developers",
    entries: [
      { section: "keys", path: "keys" },
      { section: "webhooks", path: "webhooks" },
      { section: "deliveries", path: "deliveries" },
      { section: "events", path: "events" },
      { section: "requests", path: "requests", action: "requests.read" },
      { section: "alerts", path: "alerts" },
    ],
  },
  {
    label: "menu_store",
    entries: [
      { section: "settings", path: "settings" },
      { section: "people", path: "people" },
      { section: "sessions", path: "sessions" },
      { section: "audit", path: "audit" },
    ],
  },
];

/** Says whether a place is there at all: the list of people is an option. */
export const isOffered = (section: Section | null, { people }: DashboardSettings): boolean =>
  section !== "people" || people;

/** The most entries that fit, beside the names of all groups, into a window 800 pixels high. */
const mostOpen = 12;

/**
 * Gives the groups of the menu that are open on a page: the group of the page's section, then
 * others from the top, while they fit into the window. The rest open by a press.
 */
export function openGroups(section: Section | null): ReadonlySet<TextName | null> {
  const isOwn = ({ entries }: MenuGroup): boolean =>
    entries.some((each) => each.section === section);
  const inOrder = [...menu.filter(isOwn), ...menu.filter((group) => !isOwn(group))];
  const open = new Set<TextName | null>();
  let left = mostOpen;
  for (const { label, entries } of inOrder) {
    if (entries.length > left) continue;
    open.add(label);
    left -= entries.length;
  }
  return open;
}
