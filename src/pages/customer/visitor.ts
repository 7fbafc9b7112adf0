import { isApiError } from "../../contract/errors.ts";
import { isFormSeal, sealForm } from "../../domain/keys/form-seal.ts";
import { base64url } from "../../domain/keys/hash.ts";
import { verifyBuyer } from "../../http/access/verify-buyer.ts";
import { cookieHeader, cookieOf } from "../../http/cookies.ts";
import type { WireRequest } from "../../http/wire.ts";
import { refuseRevoked } from "../../operations/buyers/own.ts";
import type { Buyer } from "../../rules/checkout/buyer.ts";
import { openPass, type PagePass, sealPass } from "../../rules/owner/page-pass.ts";
import type { Partition } from "../../rules/records.ts";
import type { CustomerPageContext, Place } from "./context.ts";
import type { HandedToken } from "./options.ts";

/** A buyer who may see the page. */
export interface Visitor {
  readonly partition: Partition;
  readonly buyer: Buyer;
  /** The visitor sees this order and its subscription alone. Null shows all of the buyer's. */
  readonly order_id: string | null;
  /** The tokens of this visitor's forms depend on it. */
  readonly name: string;
  /** True when the page's own cookie tells who it is: it can be taken back. */
  readonly hasSession: boolean;
}

/** Finds out who sent a request. Null means nobody: a link or a token is needed. */
export async function findVisitor(request: WireRequest, place: Place): Promise<Visitor | null> {
  const { ctx, options } = place;
  const { keyRing, now } = ctx.http;
  const text = cookieOf(request, cookieName(place));
  const pass = text === null ? null : await openPass(keyRing, "session", { text, now: now() });
  if (pass) return isServed(ctx, pass) ? visitorOf(pass) : null;

  const handed = (await options.token?.(request)) ?? null;
  const visitor = handed && (await verifyHanded(ctx, handed));
  if (!visitor) return null;
  const { store_id, livemode } = visitor.partition;
  const name = JSON.stringify(["host", store_id, livemode, visitor.buyer.customer_id]);
  return { ...visitor, order_id: null, name, hasSession: false };
}

const visitorOf = ({ store_id, livemode, issued_at, id, ...pass }: PagePass): Visitor => ({
  partition: { store_id, livemode },
  buyer: { customer_id: pass.customer_id, issued_at },
  order_id: pass.order_id ?? null,
  name: id,
  hasSession: true,
});

export const isServed = ({ http }: CustomerPageContext, { livemode }: Partition): boolean =>
  http.modes[livemode ? "live" : "test"];

/** Reads a buyer token of the host's. Gives null for a wrong one, or one of another store. */
export async function verifyHanded(
  ctx: CustomerPageContext,
  { token, store_id, livemode }: HandedToken,
): Promise<Pick<Visitor, "partition" | "buyer"> | null> {
  const partition = { store_id, livemode };
  if (!isServed(ctx, partition)) return null;
  return unlessRefused(async () => ({
    partition,
    buyer: await verifyBuyer(ctx.http, token, partition),
  }));
}

/** Who comes in, and whether one order or all of the buyer's are shown. */
export type Entering = Pick<Visitor, "partition" | "buyer" | "order_id">;

/** Uses up a pass. Of several concurrent calls one gets the buyer. Null means that it is spent. */
export async function spendPass(
  { http }: CustomerPageContext,
  pass: PagePass,
): Promise<Entering | null> {
  const { store_id, livemode, customer_id, issued_at, expires_at } = pass;
  const partition = { store_id, livemode };
  const buyer = { customer_id, issued_at };
  return unlessRefused(async () => {
    await refuseRevoked({ ctx: http, partition, buyer });
    // The row of a sent form is kept until the link's own end, and no longer.
    const form = { store_id, form_id: `customer-page:${pass.id}`, expires_at };
    const { outcome } = await http.storage.dashboard.takeForm(form);
    return outcome === "taken" ? { partition, buyer, order_id: pass.order_id ?? null } : null;
  });
}

/** Gives null where a token is refused. Any other failure is thrown. */
async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (isApiError(error) && isRefusal(error.code)) return null;
    throw error;
  }
}

/** Says whether an error means that the buyer's token counts no more. */
export const isRefusal = (code: string): boolean =>
  code === "invalid_customer_token" || code === "customer_token_expired";

/**
 * Opens a session that begins at `now`. Read `now` first, and check then that the buyer is not
 * revoked: a revocation that comes after the check ends the session too.
 */
export async function openSession(
  place: Place,
  { partition, buyer, order_id }: Entering,
  { now, seconds }: { readonly now: number; readonly seconds: number },
): Promise<string> {
  const { keyRing, randomBytes } = place.ctx.http;
  const pass: PagePass = {
    ...partition,
    customer_id: buyer.customer_id,
    ...(order_id !== null && { order_id }),
    id: base64url(randomBytes(16)),
    issued_at: now,
    expires_at: now + seconds * 1_000,
  };
  return setCookie(place, await sealPass(keyRing, "session", pass), seconds);
}

export const endSession = (place: Place): string => setCookie(place, "", 0);

const isSecure = ({ options }: Place): boolean => options.baseUrl.startsWith("https:");

const cookieName = (place: Place): string =>
  `${isSecure(place) ? "__Secure-" : ""}vitrine-customer`;

/** Browsers send it when someone follows a link from a mail, and never with another site's form. */
const setCookie = (place: Place, value: string, maxAgeSeconds: number): string =>
  cookieHeader(cookieName(place), {
    value,
    path: place.base,
    sameSite: "Lax",
    secure: isSecure(place),
    maxAgeSeconds,
  });

const purpose = "customer-page-form";

const textOf = ({ name }: Visitor, path: string): string => JSON.stringify([name, path]);

/** Makes the token of a form, which is good for this visitor and this path. */
export const formToken = ({ ctx }: Place, visitor: Visitor, path: string): Promise<string> =>
  sealForm(ctx.http.keyRing, purpose, textOf(visitor, path));

export const isFormToken = (
  { ctx }: Place,
  visitor: Visitor,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<boolean> =>
  isFormSeal(ctx.http.keyRing, token, { purpose, text: textOf(visitor, path) });
