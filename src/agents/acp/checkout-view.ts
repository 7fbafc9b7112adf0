import { parseUrl } from "../../domain/parse-url.ts";
import { sessionLifetimeMs } from "../../rules/checkout/lifetimes.ts";
import {
  type Amounts,
  allocationsOf,
  type Line,
  linksOf,
  type Session,
  type StoreLinks,
} from "../shared/session.ts";
import { type AcpVersion, discountExtension } from "./discovery.ts";

/**
 * Gives the protocol's state of a session. An open session is never `ready_for_payment`: the
 * endpoint offers no payment handler, and the buyer pays on the store's page.
 */
export function statusOf({ status, payment_status, created_at, expires_at }: Session) {
  if (status === "complete" || payment_status === "paid") return "completed";
  if (payment_status === "pending") return "complete_in_progress";
  if (status === "open") return "requires_escalation";

  // A session that was closed ends before its time.
  const lived = Date.parse(expires_at) - Date.parse(created_at);
  return lived < sessionLifetimeMs ? "canceled" : "expired";
}

/** What an answer is made of besides the session. */
export interface Surroundings {
  readonly version: AcpVersion;
  readonly store: StoreLinks;
  /** Codes that the store would not apply. */
  readonly rejected: readonly string[];
}

/** Shows a session as the protocol's checkout session. */
export function showSession(session: Session, { version, store, rejected }: Surroundings) {
  const { checkout_url, customer, currency, line_items } = session;
  const status = statusOf(session);
  const isOpen = status === "requires_escalation";
  const mayContinue = isOpen || status === "complete_in_progress";

  return {
    id: session.id,
    protocol: { version },
    capabilities: {
      payment: { handlers: [] },
      interventions: { supported: [] },
      extensions: [{ name: discountExtension, extends: extendedFields }],
    },
    ...(customer.email !== null && { buyer: { email: customer.email } }),
    status,
    currency: currency.toLowerCase(),
    line_items: line_items.map(showLine),
    fulfillment_options: [],
    totals: totalsOf(session),
    discounts: discountsOf(session, rejected),
    messages: [...rejected.map(rejection), ...(isOpen ? [handOff] : [])].map(inVersion(version)),
    links: linksOf(store, "terms_of_use"),
    created_at: session.created_at,
    expires_at: session.expires_at,
    ...(mayContinue && checkout_url !== null && { continue_url: checkout_url }),
    ...(status === "completed" && { order: showOrder(session) }),
  };
}

const extendedFields = [
  "$.CheckoutSessionCreateRequest.discounts",
  "$.CheckoutSessionUpdateRequest.discounts",
  "$.CheckoutSession.discounts",
];

interface Message {
  readonly type: "error" | "warning";
  readonly code: string;
  readonly resolution: "recoverable" | "requires_buyer_review";
  readonly content_type: "plain";
  readonly content: string;
  readonly param?: string;
}

const handOff: Message = {
  type: "error",
  code: "intervention_required",
  resolution: "requires_buyer_review",
  content_type: "plain",
  content: "The buyer pays on the store's own page: open continue_url for them.",
};

const rejection = (_code: string, index: number): Message => ({
  type: "warning",
  code: "discount_code_invalid",
  resolution: "recoverable",
  content_type: "plain",
  content: "The code cannot be applied.",
  param: `$.discounts.codes[${index}]`,
});

/** Messages tell who can mend a fault only since 2026-04-17. */
const inVersion =
  (version: AcpVersion) =>
  ({ resolution, ...message }: Message) =>
    version === "2026-01-30" ? message : { ...message, resolution };

const showLine = (line: Line) => ({
  id: line.id,
  item: { id: line.product_id, name: line.name, unit_amount: line.unit_amount },
  quantity: line.quantity,
  name: line.name,
  unit_amount: line.unit_amount,
  product_id: line.product_id,
  ...(line.image_url !== null && parseUrl(line.image_url) && { images: [line.image_url] }),
  totals: totalsOf(line),
});

/** A coupon's amount is spread over the lines. The protocol's `subtotal` is without it. */
export const totalsOf = ({ amount_subtotal, amount_discount, amount_total }: Amounts) => [
  { type: "items_base_amount", display_text: "Items", amount: amount_subtotal },
  ...(amount_discount > 0
    ? [{ type: "items_discount", display_text: "Discount", amount: amount_discount }]
    : []),
  { type: "subtotal", display_text: "Subtotal", amount: amount_subtotal - amount_discount },
  { type: "total", display_text: "Total", amount: amount_total },
];

function discountsOf(session: Session, rejected: readonly string[]) {
  const { coupon_code: code, amount_discount: amount } = session;
  const reason = "discount_code_invalid";
  const told = rejected.map((each) => ({ code: each, reason }));
  if (code === null) return { codes: rejected, applied: [], rejected: told };

  const coupon = { id: code, name: code };
  const applied = { id: code, code, coupon, amount, allocations: allocationsOf(session) };
  return { codes: [...rejected, code], applied: [applied], rejected: told };
}

const showOrder = ({ id, order, checkout_url, success_url }: Session) => ({
  id: order?.id ?? id,
  checkout_session_id: id,
  ...(order && { order_number: String(order.number) }),
  permalink_url: checkout_url ?? success_url,
  status: "confirmed",
});
