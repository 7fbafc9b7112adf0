import { remember } from "../../domain/async/remember.ts";
import { hmacText, timingSafeEqual } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { Partition, SessionRecord } from "../records.ts";

const label = "checkout-token";
const maxSealKeys = 20;
const maxTokens = 1_000;

/** Makes the addresses at which buyers pay their sessions. */
export interface CheckoutUrls {
  /** The id of the seal key from which new tokens come. */
  readonly sealKeyId: string | null;
  /** Gives the address of a stored session. */
  address(
    session: Pick<SessionRecord, "id" | "store_id" | "livemode" | "seal_key_id" | "checkout_url">,
  ): Promise<string>;
  /** The host's code makes addresses with it. Null means that a token makes them. */
  readonly build: ((session: ExternalSession) => string | Promise<string>) | null;
}

/** The host's `checkout.url` receives this. */
export interface ExternalSession {
  /** Stays the same over retries: use it as the payment provider's idempotency key. */
  readonly id: string;
  readonly store_id: string;
  readonly livemode: boolean;
  readonly amount_total: number;
  readonly currency: string;
  readonly line_items: readonly {
    readonly name: string;
    readonly quantity: number;
    readonly unit_amount: number;
    readonly amount_total: number;
  }[];
  readonly customer: { readonly email: string | null; readonly discord_id: string | null };
  readonly success_url: string;
  readonly cancel_url: string;
  readonly metadata: SessionRecord["metadata"];
  /** The time at which the session ends, in ISO 8601 UTC. */
  readonly expires_at: string;
}

/** The base addresses of the hosted page by mode, without a slash at the end. */
export interface CheckoutBase {
  readonly live: string | null;
  readonly test: string | null;
}

/**
 * Makes addresses of the form `{baseUrl}/{token}`. A token is computed from a seal
 * key and never stored, and a replay gives the same one.
 */
export function derivedUrls(ring: KeyRing, base: CheckoutBase): CheckoutUrls {
  // The page asks for its own address at each visit.
  const tokensBy = remember(maxSealKeys, (keyId: string) =>
    remember(maxTokens, (text: string) => createToken(ring, keyId, text)),
  );

  return {
    sealKeyId: ring.current.id,
    build: null,
    async address(session) {
      if (session.checkout_url !== null) return session.checkout_url;
      const start = session.livemode ? base.live : base.test;
      const keyId = session.seal_key_id ?? ring.current.id;
      return `${start}/${await tokensBy(keyId)(tokenText(session, session.id))}`;
    },
  };
}

/** Gives addresses that the host's code made and the session stores. */
export function externalUrls(
  ring: KeyRing,
  build: (session: ExternalSession) => string | Promise<string>,
): CheckoutUrls {
  return {
    sealKeyId: ring.current.id,
    build,
    address: (session) => Promise.resolve(session.checkout_url ?? ""),
  };
}

const tokenText = ({ store_id, livemode }: Partition, session_id: string): string =>
  `${store_id}.${livemode ? "live" : "test"}.${session_id}`;

const createToken = async (ring: KeyRing, keyId: string, text: string): Promise<string> =>
  `${text}.${await hmacText(await ring.derive(keyId, label), text)}`;

/**
 * Finds the session that a checkout token names. It gives null when no key of the
 * ring made the token.
 */
export async function readToken(
  ring: KeyRing,
  token: string,
): Promise<{ readonly partition: Partition; readonly session_id: string } | null> {
  // A host may hand on whatever it found in an address: nothing, or a list.
  if (typeof token !== "string" || token.length > 300) return null;

  const parts = token.split(".");
  const [store_id, mode, session_id, signature] = parts;
  if (parts.length !== 4 || !store_id || !session_id || !signature) return null;
  if (mode !== "live" && mode !== "test") return null;

  const partition = { store_id, livemode: mode === "live" };
  const text = tokenText(partition, session_id);
  for (const id of ring.ids) {
    const expected = await hmacText(await ring.derive(id, label), text);
    if (timingSafeEqual(expected, signature)) return { partition, session_id };
  }
  return null;
}
