import type { z } from "zod";
import type { CheckoutSession, LineItem, Store } from "../../contract/schemas.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { isRecord } from "../mcp/json-rpc.ts";
import type { Active } from "./profile.ts";
import { type Message, success } from "./replies.ts";

/** A session as a key with the scope `orders:read` is shown it. */
export interface Session extends Omit<CheckoutSession, "checkout_url"> {
  readonly checkout_url: string | null;
  readonly order?: { readonly id: string; readonly number: number } | null;
}

type Line = z.output<typeof LineItem>;

type Status =
  | "incomplete"
  | "requires_escalation"
  | "complete_in_progress"
  | "completed"
  | "canceled";

/**
 * Gives the state of the protocol. No payment handler is offered, so an open session is never
 * `ready_for_complete`: its buyer pays on the store's page.
 */
export function statusOf(
  { status, payment_status }: Session,
  messages: readonly Message[],
): Status {
  if (status === "complete" || payment_status === "paid") return "completed";
  if (payment_status === "pending") return "complete_in_progress";
  if (status === "expired") return "canceled";

  const mendable = messages.some(({ severity }) => severity === "recoverable");
  return mendable ? "incomplete" : "requires_escalation";
}

const handOff: Message = {
  type: "error",
  code: "payment_required",
  content: "The buyer pays on the store's own page: open continue_url for them.",
  severity: "requires_buyer_input",
};

/** The extension that an agent may speak besides the checkout. */
export const discount = "dev.ucp.shopping.discount";

interface Showing {
  readonly store: Pick<Store, "terms_url" | "privacy_url">;
  readonly active: Active;
  readonly notices?: readonly Message[];
}

/** Shows a session as the protocol's checkout. */
export function showCheckout(session: Session, { store, active, notices = [] }: Showing) {
  const { checkout_url, customer, order } = session;
  const status = statusOf(session, notices);
  const isOver = status === "completed" || status === "canceled";
  const isOpen = status === "incomplete" || status === "requires_escalation";

  return {
    ucp: {
      ...success(active, "dev.ucp.shopping.checkout", discount),
      payment_handlers: {},
    },
    id: session.id,
    status,
    currency: session.currency,
    line_items: session.line_items.map(showLine),
    ...(customer.email !== null && { buyer: { email: customer.email } }),
    totals: totalsOf(session),
    ...((active === null || active.has(discount)) && { discounts: discountsOf(session) }),
    messages: isOpen ? [...notices, handOff] : notices,
    links: linksOf(store),
    expires_at: session.expires_at,
    ...(!isOver && checkout_url !== null && { continue_url: checkout_url }),
    ...(status === "completed" &&
      isRecord(order) && {
        order: {
          id: order.id,
          label: `#${order.number}`,
          permalink_url: checkout_url ?? session.success_url,
        },
      }),
  };
}

const showLine = (line: Line) => ({
  id: line.id,
  item: {
    id: line.product_id,
    title: line.name,
    price: line.unit_amount,
    ...(line.image_url !== null && parseUrl(line.image_url) && { image_url: line.image_url }),
  },
  quantity: line.quantity,
  totals: totalsOf(line),
});

interface Amounts {
  readonly amount_subtotal: number;
  readonly amount_discount: number;
  readonly amount_total: number;
}

/** A coupon's amount is spread over the lines, so that it is a discount of items. */
export const totalsOf = ({ amount_subtotal, amount_discount, amount_total }: Amounts) => [
  { type: "subtotal", amount: amount_subtotal },
  ...(amount_discount > 0
    ? [{ type: "items_discount", display_text: "Discount", amount: -amount_discount }]
    : []),
  { type: "total", amount: amount_total },
];

function discountsOf({ coupon_code, amount_discount, line_items }: Session) {
  if (coupon_code === null) return { codes: [], applied: [] };

  const allocations = line_items.flatMap(({ amount_discount: amount }, index) =>
    amount > 0 ? [{ path: `$.line_items[${index}]`, amount }] : [],
  );
  const applied = [{ code: coupon_code, title: coupon_code, amount: amount_discount, allocations }];
  return { codes: [coupon_code], applied };
}

const linksOf = ({ terms_url, privacy_url }: Pick<Store, "terms_url" | "privacy_url">) =>
  [
    { type: "terms_of_service", url: terms_url },
    { type: "privacy_policy", url: privacy_url },
  ].filter(({ url }) => url !== null && parseUrl(url));
