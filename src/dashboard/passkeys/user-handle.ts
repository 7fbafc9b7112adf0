import { base64url, fromBase64url } from "../../domain/keys/hash.ts";
import { personId } from "../../rules/owner/people.ts";
import type { DashboardRef } from "../../storage/dashboard-store.ts";

const idBytes = 16;
/** An authenticator keeps at most 64 bytes of whom a passkey belongs to. */
const mostStoreBytes = 64 - idBytes;

const utf8 = new TextEncoder();

/** Tells whether people of the store can keep passkeys: its id must fit beside their own. */
export const fitsPasskey = (store_id: string): boolean =>
  utf8.encode(store_id).length <= mostStoreBytes;

/** Gives what a passkey keeps of its person: both ids, and no name. */
export function userHandle({ store_id, hash }: DashboardRef): string {
  const id = fromBase64url(hash.slice(personId("").length)) ?? new Uint8Array();
  return base64url(new Uint8Array([...id, ...utf8.encode(store_id)]));
}

/** Reads whom a passkey belongs to, as its authenticator says. Gives null for anything else. */
export function readUserHandle(handle: Uint8Array): DashboardRef | null {
  const hash = personId(base64url(handle.subarray(0, idBytes)));
  const store_id = new TextDecoder().decode(handle.subarray(idBytes));
  return /^str_[A-Za-z0-9_-]{1,44}$/.test(store_id) ? { store_id, hash } : null;
}
