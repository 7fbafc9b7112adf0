import { z } from "zod";
import type { Store } from "../../contract/schemas.ts";
import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import { type Session, sessionPath } from "../shared/session.ts";
import type { ApiAnswer } from "../shared/store-api.ts";
import { faultOf } from "./api-faults.ts";
import { discount, showCheckout, statusOf } from "./checkout-view.ts";
import { agentField, call, type Desk, findSession, readRequest } from "./desk.ts";
import { BusinessFault, type Message } from "./replies.ts";

const text = z.string().min(1).max(255);
const CheckoutBody = z.object({
  line_items: z
    .array(z.object({ item: z.object({ id: text }), quantity: z.number() }))
    .min(1, "must have a line"),
  buyer: z.object({ email: z.string().nullish() }).nullish(),
  discounts: z.object({ codes: z.array(text).max(10).nullish() }).nullish(),
});
type CheckoutBody = z.output<typeof CheckoutBody>;

export async function createCheckout(desk: Desk): Promise<WireReply> {
  const wanted = await readCheckout(desk);
  const { agent, success_url, cancel_url } = desk;
  const facts = { success_url, cancel_url, metadata: { [agentField]: agent.profile } };

  const { answer, notices } = await tryCodes(codesOf(desk, wanted), async (coupon, attempt) =>
    desk.api({
      method: "POST",
      path: "/checkout/sessions",
      body: { ...goodsOf(wanted), ...facts, ...(coupon !== null && { coupon_code: coupon }) },
      idempotencyKey: await desk.keyOf(`create ${attempt}`),
    }),
  );
  if (!answer.ok) throw faultOf(answer.error);
  return shown(desk, 201, sessionOf(answer), notices);
}

export async function getCheckout(desk: Desk, id: string): Promise<WireReply> {
  return shown(desk, 200, await findSession(desk, id));
}

/** Replaces lines, buyer and codes. What the store refuses leaves the session as it was. */
export async function updateCheckout(desk: Desk, id: string): Promise<WireReply> {
  const wanted = await readCheckout(desk);
  await findSession(desk, id);

  const { answer, notices } = await tryCodes(codesOf(desk, wanted), async (coupon_code, attempt) =>
    desk.api({
      method: "PATCH",
      path: sessionPath(id),
      body: { ...goodsOf(wanted), coupon_code },
      idempotencyKey: await desk.keyOf(`update ${id} ${attempt}`),
    }),
  );
  if (answer.ok) return shown(desk, 200, sessionOf(answer), notices);

  const current = await findSession(desk, id);
  if (/^session_(not_open|expired)$/.test(String(answer.error["code"])))
    return refused(desk, current);
  const fault = faultOf(answer.error);
  if (!(fault instanceof BusinessFault)) throw fault;
  return shown(desk, 200, current, [...notices, fault.notice]);
}

/** Hands the buyer over: the store takes no payment of an agent, and reads none. */
export async function completeCheckout(desk: Desk, id: string): Promise<WireReply> {
  const session = await findSession(desk, id);
  return isClosed(session) ? refused(desk, session) : shown(desk, 200, session);
}

/** Closes a checkout that nobody pays. A payment under way may still bring money. */
export async function cancelCheckout(desk: Desk, id: string): Promise<WireReply> {
  const session = await findSession(desk, id);
  if (isClosed(session) || session.payment_status !== "unpaid") return refused(desk, session);

  const store = await call<Store & { livemode: boolean }>(desk, { method: "GET", path: "/store" });
  await desk.expire(id, { store_id: store.data.id, livemode: store.livemode });

  const after = await findSession(desk, id);
  return statusOf(after, []) === "canceled" ? shown(desk, 200, after) : refused(desk, after);
}

const isClosed = (session: Session): boolean =>
  ["completed", "canceled"].includes(statusOf(session, []));

const readCheckout = (desk: Desk): Promise<CheckoutBody> => readRequest(desk, CheckoutBody);

const goodsOf = ({ line_items, buyer }: CheckoutBody) => ({
  items: line_items.map(({ item, quantity }) => ({ product_id: item.id, quantity })),
  customer: { email: buyer?.email ?? null },
});

/** An agent that has not the extension of discounts sends no codes that count. */
const codesOf = ({ active }: Desk, { discounts }: CheckoutBody): readonly string[] =>
  active === null || active.has(discount) ? (discounts?.codes ?? []) : [];

/** A session takes one coupon: the first code that counts. The others are told as warnings. */
async function tryCodes(
  codes: readonly string[],
  attempt: (coupon: string | null, attempt: number) => Promise<ApiAnswer>,
): Promise<{ readonly answer: ApiAnswer; readonly notices: readonly Message[] }> {
  const notices: Message[] = [];

  for (const [index, code] of codes.entries()) {
    const answer = await attempt(code, index);
    if (answer.ok) {
      const others = codes.slice(index + 1).map((_, after) => combined(index + 1 + after));
      return { answer, notices: [...notices, ...others] };
    }
    if (answer.error["code"] !== "coupon_invalid") return { answer, notices };
    notices.push(warning("discount_code_invalid", index, "The code cannot be applied."));
  }
  return { answer: await attempt(null, codes.length), notices };
}

const warning = (code: string, index: number, content: string): Message => ({
  type: "warning",
  code,
  content,
  path: `$.discounts.codes[${index}]`,
});

const combined = (index: number): Message =>
  warning("discount_code_combination_disallowed", index, "A checkout takes one code.");

const sessionOf = (answer: Extract<ApiAnswer, { ok: true }>): Session =>
  answer.body["data"] as Session;

async function shown(
  desk: Desk,
  status: number,
  session: Session,
  notices: readonly Message[] = [],
): Promise<WireReply> {
  const store = await call<Store>(desk, { method: "GET", path: "/store" });
  return json(status, showCheckout(session, { store: store.data, active: desk.active, notices }));
}

/** Answers with the checkout as it stands, and the reason why it can no longer change. */
async function refused(desk: Desk, session: Session): Promise<WireReply> {
  const status = statusOf(session, []);
  const code = `checkout_${status}`;
  const content = `The checkout is ${status}: it can no longer change.`;
  const store = await call<Store>(desk, { method: "GET", path: "/store" });
  const notice: Message = { type: "error", code, content, severity: "unrecoverable" };
  const showing = { store: store.data, active: desk.active, notices: [notice] };
  return json(409, { ...showCheckout(session, showing), code, content });
}
