import { parseUrl } from "../../domain/parse-url.ts";
import { isRecord } from "../shared/json.ts";
import {
  type Amounts,
  allocationsOf,
  type Line,
  linksOf,
  type Session,
  type StoreLinks,
} from "../shared/session.ts";
import { type Agreed, discount, isActive } from "./profile.ts";
import { type Message, success } from "./replies.ts";

type Status =
  | "incomplete"
  | "requires_escalation"
  | "complete_in_progress"
  | "completed"
  | "canceled";

/**
 * Gives the protocol's state of a session. An open session is never `ready_for_complete`: the
 * endpoint offers no payment handler, and the buyer pays on the store's page.
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

/** Tells whether a session has ended, so that it can no longer change. */
export const isClosed = (session: Session): boolean =>
  ["completed", "canceled"].includes(statusOf(session, []));

const handOff: Message = {
  type: "error",
  code: "payment_required",
  content: "The buyer pays on the store's own page: open continue_url for them.",
  severity: "requires_buyer_input",
};

/** What an answer shows besides the session. */
export interface Showing {
  readonly store: StoreLinks;
  readonly agreed: Agreed;
  readonly notices?: readonly Message[];
}

/** Shows a session as the protocol's checkout. */
export function showCheckout(session: Session, { store, agreed, notices = [] }: Showing) {
  const { checkout_url, order } = session;
  const status = statusOf(session, notices);
  const isOver = status === "completed" || status === "canceled";
  const isOpen = status === "incomplete" || status === "requires_escalation";

  return {
    ucp: {
      ...success(agreed, "dev.ucp.shopping.checkout", discount),
      payment_handlers: {},
    },
    id: session.id,
    status,
    ...showBasket(session, { store, agreed }),
    messages: isOpen ? [...notices, handOff] : notices,
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

/** Shows what a cart and a checkout have in common. */
export const showBasket = (session: Session, { store, agreed }: Showing) => ({
  currency: session.currency,
  line_items: session.line_items.map(showLine),
  ...(session.customer.email !== null && { buyer: { email: session.customer.email } }),
  totals: totalsOf(session),
  ...(isActive(agreed, discount) && { discounts: discountsOf(session) }),
  links: linksOf(store, "terms_of_service"),
  expires_at: session.expires_at,
});

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

/** A coupon's amount is spread over the lines, so that it is a discount of items. */
export const totalsOf = ({ amount_subtotal, amount_discount, amount_total }: Amounts) => [
  { type: "subtotal", amount: amount_subtotal },
  ...(amount_discount > 0
    ? [{ type: "items_discount", display_text: "Discount", amount: -amount_discount }]
    : []),
  { type: "total", amount: amount_total },
];

function discountsOf(session: Session) {
  const { coupon_code: code, amount_discount: amount } = session;
  if (code === null) return { codes: [], applied: [] };

  const applied = { code, title: code, amount, allocations: allocationsOf(session) };
  return { codes: [code], applied: [applied] };
}
