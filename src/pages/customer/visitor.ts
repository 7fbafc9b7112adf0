import { isApiError } from "../../contract/errors.ts";
import { base64url, hmacText, timingSafeEqual } from "../../domain/keys/hash.ts";
import type { WireRequest } from "../../http/wire.ts";
import { refuseRevoked } from "../../operations/buyers/own.ts";
import type { Buyer } from "../../rules/checkout/buyer.ts";
import { erasedCustomerId } from "../../rules/owner/erased-customer.ts";
import { openPass, type PagePass, sealPass } from "../../rules/owner/page-pass.ts";
import type { Partition } from "../../rules/records.ts";
import type { CustomerPageContext, Place } from "./context.ts";
import type { HandedToken } from "./options.ts";

/** A buyer who may see the page. */
export interface Visitor {
  readonly partition: Partition;
  readonly buyer: Buyer;
  /** The tokens of this visitor's forms depend on it. */
  readonly name: string;
  /** True when the page's own cookie tells who it is: it can be taken back. */
  readonly hasSession: boolean;
}

/** Finds out who sent a request. Null means nobody: a link or a token is needed. */
export async function findVisitor(request: WireRequest, place: Place): Promise<Visitor | null> {
  const { ctx, options } = place;
  const { keyRing, now } = ctx.http;
  const text = readCookie(request, place);
  const pass = text === null ? null : await openPass(keyRing, "session", { text, now: now() });
  if (pass) return isServed(ctx, pass) ? visitorOf(pass) : null;

  const handed = (await options.token?.(request)) ?? null;
  const visitor = handed && (await verifyHanded(ctx, handed));
  if (!visitor) return null;
  const { store_id, livemode } = visitor.partition;
  const name = JSON.stringify(["host", store_id, livemode, visitor.buyer.customer_id]);
  return { ...visitor, name, hasSession: false };
}

const visitorOf = ({ store_id, livemode, customer_id, issued_at, id }: PagePass): Visitor => ({
  partition: { store_id, livemode },
  buyer: { customer_id, issued_at },
  name: id,
  hasSession: true,
});

const isServed = ({ http }: CustomerPageContext, { livemode }: Partition): boolean =>
  http.modes[livemode ? "live" : "test"];

/** Reads a buyer token of the host's. Gives null for a wrong one, or one of another store. */
export async function verifyHanded(
  { http }: CustomerPageContext,
  { token, store_id, livemode }: HandedToken,
): Promise<Pick<Visitor, "partition" | "buyer"> | null> {
  const partition = { store_id, livemode };
  if (!http.modes[livemode ? "live" : "test"]) return null;
  return unlessRefused(async () => {
    const buyer = await http.buyerTokens.verify(token, partition);
    // This id stands in the orders of everyone who was erased.
    return buyer.customer_id === erasedCustomerId ? null : { partition, buyer };
  });
}

/** Uses up a link. Of several concurrent calls one gets the buyer. Null means that it is spent. */
export async function spendLink(
  { http }: CustomerPageContext,
  pass: PagePass,
): Promise<Pick<Visitor, "partition" | "buyer"> | null> {
  const { store_id, livemode, customer_id, issued_at, expires_at } = pass;
  const partition = { store_id, livemode };
  const buyer = { customer_id, issued_at };
  return unlessRefused(async () => {
    await refuseRevoked({ ctx: http, partition, buyer });
    // The row of a sent form is kept until the link's own end, and no longer.
    const form = { store_id, form_id: `customer-page:${pass.id}`, expires_at };
    const { outcome } = await http.storage.dashboard.takeForm(form);
    return outcome === "taken" ? { partition, buyer } : null;
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

/** Says whether an error means that the buyer is nobody any more. */
export const isRefusal = (code: string): boolean =>
  code === "invalid_customer_token" || code === "customer_token_expired";

/**
 * Opens a session. `now` was read before the buyer was found not to be revoked: a revocation since
 * then ends the session too.
 */
export async function openSession(
  place: Place,
  { partition, buyer }: Pick<Visitor, "partition" | "buyer">,
  { now, seconds }: { readonly now: number; readonly seconds: number },
): Promise<string> {
  const { keyRing, randomBytes } = place.ctx.http;
  const pass: PagePass = {
    ...partition,
    customer_id: buyer.customer_id,
    id: base64url(randomBytes(16)),
    issued_at: now,
    expires_at: now + seconds * 1_000,
  };
  return cookieOf(place, await sealPass(keyRing, "session", pass), seconds);
}

export const endSession = (place: Place): string => cookieOf(place, "", 0);

const isSecure = ({ options }: Place): boolean => options.baseUrl.startsWith("https:");

const cookieName = (place: Place): string =>
  `${isSecure(place) ? "__Secure-" : ""}vitrine-customer`;

/** Browsers send it when someone follows a link from a mail, and never with another site's form. */
const cookieOf = (place: Place, value: string, seconds: number): string =>
  [
    `${cookieName(place)}=${value}`,
    `Path=${place.base}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(isSecure(place) ? ["Secure"] : []),
    `Max-Age=${seconds}`,
  ].join("; ");

/** Gives null when two of the name came: nothing tells which of them the page has set. */
function readCookie(request: WireRequest, place: Place): string | null {
  const prefix = `${cookieName(place)}=`;
  const found = (request.header("cookie") ?? "")
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part.startsWith(prefix));
  return found.length === 1 ? (found[0]?.slice(prefix.length) ?? null) : null;
}

/** Makes the token of a form, which is good for this visitor and this path. */
export const formToken = ({ ctx }: Place, { name }: Visitor, path: string): Promise<string> =>
  sealForm(ctx, ctx.http.keyRing.current.id, [name, path]);

export async function isFormToken(
  { ctx }: Place,
  { name }: Visitor,
  { path, token }: { readonly path: string; readonly token: string },
): Promise<boolean> {
  // A form may have been opened before the seal key was changed.
  for (const id of ctx.http.keyRing.ids)
    if (timingSafeEqual(await sealForm(ctx, id, [name, path]), token)) return true;
  return false;
}

const sealForm = async (
  { http }: CustomerPageContext,
  keyId: string,
  scope: readonly string[],
): Promise<string> =>
  hmacText(await http.keyRing.derive(keyId, "customer-page-form"), JSON.stringify(scope));
