import { z } from "zod";
import type { WireReply } from "../../http/wire.ts";
import { json } from "../shared/json.ts";
import { type Session, sessionPath } from "../shared/session.ts";
import type { ApiAnswer } from "../shared/store-api.ts";
import { faultOf } from "./api-faults.ts";
import { showSession, statusOf } from "./checkout-view.ts";
import { agentField, type Desk, findProduct, findSession, readRequest, readStore } from "./desk.ts";
import { AcpFault } from "./replies.ts";

const text = z.string().min(1, "must not be empty").max(255, "is too long");
const quantity = z.int("must be a whole number").min(1, "must be at least 1").max(999).optional();
const line_items = z
  .array(z.object({ id: text, quantity }))
  .min(1, "must have a line")
  .max(100);
const codes = z.array(text).max(5, "must have at most 5 codes");

const Facts = z.object({
  buyer: z.object({ email: text }).optional(),
  coupons: codes.optional(),
  discounts: z.object({ codes: codes.optional() }).optional(),
});
const Creation = Facts.extend({
  line_items,
  currency: z.string().regex(/^[a-z]{3}$/i, "must be a currency of ISO 4217"),
  capabilities: z.record(z.string(), z.unknown()),
});
const Update = Facts.extend({
  line_items: line_items.optional(),
  selected_fulfillment_options: z.array(z.unknown()).max(0, "has no option here").optional(),
});
const Completion = z.object({ payment_data: z.record(z.string(), z.unknown()) });

export async function createSession(desk: Desk): Promise<WireReply> {
  const { body, acp_request } = await readRequest(desk, Creation);
  const { success_url, cancel_url, agent } = desk;
  const facts = { success_url, cancel_url, metadata: { [agentField]: agent } };

  const made = await tryCodes(body, async (coupon) =>
    desk.api({
      method: "POST",
      path: "/checkout/sessions",
      body: { ...goodsOf(body), ...facts, acp_request, ...(coupon && { coupon_code: coupon }) },
      idempotencyKey: await desk.keyOf("create"),
    }),
  );
  const { id, currency } = made.session;
  if (currency.toLowerCase() !== body.currency.toLowerCase()) {
    await close(desk, id);
    throw wrongCurrency(made.session, "$.currency");
  }
  return shown(desk, { status: 201, ...made });
}

function wrongCurrency({ currency }: { readonly currency: string }, param: string): AcpFault {
  const message = `The store sells these products in ${currency.toLowerCase()}.`;
  return new AcpFault(400, "currency_mismatch", message, { param });
}

export const getSession = async (desk: Desk, id: string): Promise<WireReply> =>
  shown(desk, { session: await findSession(desk, id) });

/**
 * Changes lines, the buyer's e-mail and codes: what is left out stays. What the store refuses
 * leaves the session as it was.
 */
export async function updateSession(desk: Desk, id: string): Promise<WireReply> {
  const { body, acp_request } = await readRequest(desk, Update);
  const { currency } = await findSession(desk, id);
  // The store refuses lines of several currencies, so the first line has the currency of all.
  const [line] = body.line_items ?? [];
  const product = line ? await findProduct(desk.house, line.id) : null;
  if (product && product.currency !== currency) throw wrongCurrency(product, "$.line_items");

  const idempotencyKey = await desk.keyOf(`update ${id}`);
  const path = sessionPath(id);
  const changed = await tryCodes(body, (coupon_code) =>
    desk.api({
      method: "PATCH",
      path,
      body: { ...goodsOf(body), coupon_code, acp_request },
      idempotencyKey,
    }),
  );
  return shown(desk, changed);
}

/**
 * Hands the buyer over. An answer of success must have an order by the protocol's schema, and
 * there is none before the buyer has paid: so it is an error that says where they pay.
 */
export async function completeSession(desk: Desk, id: string): Promise<WireReply> {
  await readRequest(desk, Completion);
  const session = await findSession(desk, id);
  const status = statusOf(session);
  if (status === "completed") return shown(desk, { session });
  if (status !== "requires_escalation")
    throw new AcpFault(409, `session_${status}`, `The checkout session is ${status}.`);

  const { checkout_url } = session;
  const message = `The store takes no payment of agents. The buyer pays at ${checkout_url}`;
  throw new AcpFault(400, "intervention_required", message, { param: "$.payment_data" });
}

/** Closes a session that nobody pays. A payment under way may still bring money. */
export async function cancelSession(desk: Desk, id: string): Promise<WireReply> {
  const hasBody = desk.request.header("content-type") !== undefined;
  const given = hasBody ? await readRequest(desk, z.object({})) : { acp_request: "" };
  const session = await findSession(desk, id);

  // This PATCH changes nothing. The API keeps its key, so that a repeated cancellation is known.
  const answer = await desk.api({
    method: "PATCH",
    path: sessionPath(id),
    body: { customer: {}, acp_request: given.acp_request },
    idempotencyKey: await desk.keyOf(`cancel ${id}`),
  });
  const closed = !answer.ok && /^session_(not_open|expired)$/.test(String(answer.error["code"]));
  if (!answer.ok && !closed) throw faultOf(answer.error);

  const isOpen = session.status === "open" && session.payment_status === "unpaid";
  if (closed && !isOpen) throw notCancelable(statusOf(session));
  if (isOpen) await close(desk, id);

  const after = await findSession(desk, id);
  const status = statusOf(after);
  if (after.status !== "expired") throw notCancelable(status);
  return shown(desk, { session: after, replayed: answer.ok && answer.replayed });
}

const notCancelable = (status: string): AcpFault =>
  new AcpFault(405, "not_cancelable", `The checkout session is ${status}.`);

async function close(desk: Desk, id: string): Promise<void> {
  const { data, livemode } = await readStore(desk);
  await desk.expire(id, { store_id: data.id, livemode });
}

type Wanted = z.output<typeof Update>;

/** Lines of one product are one line, as an item of the schemas has no quantity. */
function goodsOf({ line_items: lines, buyer }: Wanted) {
  const pieces = new Map<string, number>();
  for (const { id, quantity: more = 1 } of lines ?? [])
    pieces.set(id, (pieces.get(id) ?? 0) + more);

  const items = [...pieces].map(([product_id, sum]) => ({ product_id, quantity: sum }));
  return { ...(lines && { items }), customer: buyer ? { email: buyer.email } : {} };
}

interface Written {
  readonly session: Session;
  readonly replayed: boolean;
  readonly rejected: readonly string[];
}

/**
 * Tries the codes one after the other, because a session takes one coupon: the first that counts.
 * All attempts have the same key, under which the API keeps the attempt that succeeded. A repeat
 * finds that attempt again, and another body is refused.
 */
async function tryCodes(
  { discounts, coupons }: Wanted,
  attempt: (coupon: string | null | undefined) => Promise<ApiAnswer<Session>>,
): Promise<Written> {
  const given = discounts?.codes ?? coupons;
  for (const [index, code] of (given ?? []).entries()) {
    const answer = await attempt(code);
    if (answer.ok) return written(answer, given?.slice(0, index));
    if (!/^(coupon_invalid|idempotency_key_reuse)$/.test(String(answer.error["code"])))
      throw faultOf(answer.error);
  }

  const answer = await attempt(given === undefined ? undefined : null);
  if (!answer.ok) throw faultOf(answer.error);
  return written(answer, given);
}

const written = (
  { body, replayed }: Extract<ApiAnswer<Session>, { ok: true }>,
  rejected: readonly string[] = [],
): Written => ({ session: body.data, replayed, rejected });

async function shown(
  desk: Desk,
  {
    status = 200,
    session,
    rejected = [],
    replayed = false,
  }: Partial<Written> & {
    readonly session: Session;
    readonly status?: number;
  },
): Promise<WireReply> {
  const { data: store } = await readStore(desk);
  const { version } = desk;
  const body = showSession(session, { version, store, rejected });
  return json(status, body, replayed ? { "idempotent-replayed": "true" } : {});
}
