import { timingSafeEqual } from "#core/domain/keys/hash.ts";
import type { GatewayMessage } from "#core/payments/gateway/gateway-message.ts";
import { readJson } from "./problems.ts";

/** How the gateway knows that a message comes from the bank. */
export type CallbackOptions =
  /** At least 16 characters, which stand in the address that the bank calls. */
  | { readonly secret: string }
  /** Says whether the request came with the bank's client certificate. */
  | { mtls(request: unknown): boolean | Promise<boolean> };

/** Names the store that a message is for, and what it tells of. */
export interface Callback {
  /** Empty where the address names none: one account serves all stores. */
  readonly store_id: string;
  readonly named: readonly { readonly txid: string; readonly endToEndId: string | null }[];
  /** The recurring charges whose state has changed, by their txids. */
  readonly recurring: readonly string[];
  /** The recurrences whose state has changed, by their ids. */
  readonly recurrences: readonly string[];
}

/** Builds the address that the bank is given. The bank appends `/pix`, `/rec` or `/cobr` to it. */
export function callbackUrl(url: string, store_id: string, options: CallbackOptions): string {
  const address = new URL(url);
  if ("secret" in options) address.searchParams.set("secret", options.secret);
  address.searchParams.set("store_id", store_id);
  return address.href;
}

/** Reads a message. Throws for one that is not the bank's, or that cannot be read. */
export async function readCallback(
  options: CallbackOptions,
  { url, native, body }: GatewayMessage,
): Promise<Callback> {
  // The kind stands at the end of the query when the bank appended it to an address with one.
  const [, query = ""] = url.replace(/\/(?:pix|rec|cobr)\/?$/, "").split("?");
  const params = new URLSearchParams(query);

  const isBank =
    "secret" in options
      ? timingSafeEqual(params.get("secret") ?? "", options.secret)
      : (await options.mtls(native)) === true;
  if (!isBank)
    throw new Error("The message does not come from the bank: its secret or certificate is wrong.");

  const store_id = params.get("store_id") ?? "";
  return { store_id, ...namesIn(readJson(new TextDecoder().decode(body))) };
}

/** Reads what a message names. A message without names is a bank's trial of the address. */
function namesIn(message: unknown): Omit<Callback, "store_id"> {
  if (typeof message !== "object" || message === null)
    throw new Error("The bank's message is not a JSON object.");

  const { pix = [], cobsr = [], recs = [] } = message as { readonly [kind: string]: unknown };
  if (![pix, cobsr, recs].every(Array.isArray))
    throw new Error("The bank's message has no list of Pix.");
  return {
    named: pixIn(pix as readonly unknown[]),
    recurring: textsIn(cobsr as readonly unknown[], "txid"),
    recurrences: textsIn(recs as readonly unknown[], "idRec"),
  };
}

const textsIn = (list: readonly unknown[], name: string): readonly string[] =>
  list.flatMap((one) => {
    const text = (one as { readonly [field: string]: unknown } | null)?.[name];
    return typeof text === "string" ? [text] : [];
  });

function pixIn(pix: readonly unknown[]): Callback["named"] {
  const list = pix as readonly ({
    readonly txid?: unknown;
    readonly endToEndId?: unknown;
  } | null)[];
  return list.flatMap((one) => {
    const { txid, endToEndId } = one ?? {};
    if (typeof txid !== "string") return [];
    return [{ txid, endToEndId: typeof endToEndId === "string" ? endToEndId : null }];
  });
}
