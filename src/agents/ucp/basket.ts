import { z } from "zod";
import { type Session, sessionPath } from "../shared/session.ts";
import type { ApiAnswer } from "../shared/store-api.ts";
import { faultOf } from "./api-faults.ts";
import { agentField, type Desk } from "./desk.ts";
import { discount, isActive } from "./profile.ts";
import { BusinessFault, type Message } from "./replies.ts";

const text = z.string().min(1).max(255);

const Lines = z.array(z.object({ item: z.object({ id: text }), quantity: z.number() }));
const noLine = "must have a line";

/** What an agent sends of a cart or a checkout: both are sessions of the store. */
export const Basket = z.object({
  line_items: Lines.min(1, noLine),
  buyer: z.object({ email: z.string().nullish() }).nullish(),
  discounts: z.object({ codes: z.array(text).max(10).nullish() }).nullish(),
});
type Basket = z.output<typeof Basket>;

/** A new checkout, whose lines may be those of a cart. */
export const NewCheckout = Basket.extend({ line_items: Lines, cart_id: text.nullish() }).refine(
  ({ line_items, cart_id }) => line_items.length > 0 || cart_id != null,
  { path: ["line_items"], message: noLine },
);

type Resource = "cart" | "checkout";

/** Makes a session that keeps its agent. Throws what the store refuses. */
export async function makeSession(desk: Desk, wanted: Basket, resource: Resource) {
  const { agent, success_url, cancel_url } = desk;
  const facts = { success_url, cancel_url, metadata: { [agentField]: agent.profile } };
  const shared = { ...goodsOf(wanted), ...facts, ...namedCodes(wanted) };

  const idempotencyKey = await desk.keyOf(`${purposes[resource]}create`);
  const path = "/checkout/sessions";
  const { answer, notices } = await tryCodes(codesOf(desk, wanted), (coupon_code) =>
    desk.api<Session>({ method: "POST", path, body: { ...shared, coupon_code }, idempotencyKey }),
  );
  if (!answer.ok) throw faultOf(answer.error);
  return { session: answer.body.data, notices };
}

/** A session after a change, and what is told of it. */
interface Changed {
  readonly session: Session;
  readonly notices: readonly Message[];
  /** False when the session is no longer open: nothing was changed. */
  readonly isOpen: boolean;
}

/**
 * Replaces lines, buyer and codes of the session that `find` gives. What the store refuses leaves
 * the session as it was, and is told.
 */
export async function changeSession(
  desk: Desk,
  find: () => Promise<Session>,
  wanted: Basket,
  resource: Resource,
): Promise<Changed> {
  const { id } = await find();
  const shared = { ...goodsOf(wanted), ...namedCodes(wanted) };

  const idempotencyKey = await desk.keyOf(`${purposes[resource]}update ${id}`);
  const path = sessionPath(id);
  const { answer, notices } = await tryCodes(codesOf(desk, wanted), (coupon_code) =>
    desk.api<Session>({ method: "PATCH", path, body: { ...shared, coupon_code }, idempotencyKey }),
  );
  if (answer.ok) return { session: answer.body.data, notices, isOpen: true };

  const session = await find();
  if (isNotOpen(answer)) return { session, notices, isOpen: false };
  const fault = faultOf(answer.error);
  if (!(fault instanceof BusinessFault)) throw fault;
  return { session, notices: [...notices, fault.notice], isOpen: true };
}

type Answer = ApiAnswer<Session>;

/** One key of an agent may be used for a cart and for a checkout. */
const purposes: Readonly<Record<Resource, string>> = { cart: "cart ", checkout: "" };

/** Tells whether the store refuses a change because the session is no longer open. */
const isNotOpen = (answer: Extract<Answer, { ok: false }>): boolean =>
  /^session_(not_open|expired)$/.test(String(answer.error["code"]));

const goodsOf = ({ line_items, buyer }: Basket) => ({
  items: line_items.map(({ item, quantity }) => ({ product_id: item.id, quantity })),
  customer: { email: buyer?.email ?? null },
});

/** The API does not read this field, but compares it when a key comes again with other codes. */
const namedCodes = ({ discounts }: Basket) => ({ ucp_codes: discounts?.codes ?? [] });

/** Gives the codes that count: none of an agent without the extension of discounts. */
const codesOf = ({ agreed }: Desk, { discounts }: Basket): readonly string[] =>
  isActive(agreed, discount) ? (discounts?.codes ?? []) : [];

/** Errors after which the next code is tried: an earlier call may have succeeded by that one. */
const ofAnotherCode: readonly unknown[] = ["coupon_invalid", "idempotency_key_reuse"];

/**
 * Tries the codes in their order, because a session takes one coupon: the first code that counts.
 * Each of the others gives a warning. All attempts have the same key, and the API keeps the one
 * that succeeded. A repeat finds it again, even if a code has changed since. Another request is
 * refused.
 */
async function tryCodes(
  codes: readonly string[],
  attempt: (coupon: string | null) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly notices: readonly Message[] }> {
  const notices: Message[] = [];

  for (const [index, code] of codes.entries()) {
    const answer = await attempt(code);
    if (answer.ok) {
      const others = codes.slice(index + 1).map((_, after) => combined(index + 1 + after));
      return { answer, notices: [...notices, ...others] };
    }
    if (!ofAnotherCode.includes(answer.error["code"])) return { answer, notices };
    notices.push(warning("discount_code_invalid", index, "The code cannot be applied."));
  }
  return { answer: await attempt(null), notices };
}

const warning = (code: string, index: number, content: string): Message => ({
  type: "warning",
  code,
  content,
  path: `$.discounts.codes[${index}]`,
});

const combined = (index: number): Message =>
  warning("discount_code_combination_disallowed", index, "One code counts at a time.");
