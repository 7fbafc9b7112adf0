import { base64url, sha256 } from "../../domain/keys/hash.ts";
import type { DashboardRef } from "../../storage/dashboard-store.ts";

const pattern = /^(str_[A-Za-z0-9_-]{1,251})\.([A-Za-z0-9_-]{43})$/;

interface NewSecret extends DashboardRef {
  /** Names the row, and only its holder has it. */
  readonly text: string;
}

/** Makes the secret of a link or a session: 32 random bytes, of which only a hash is stored. */
export async function newSecret(
  store_id: string,
  randomBytes: (length: number) => Uint8Array,
): Promise<NewSecret> {
  const secret = base64url(randomBytes(32));
  return { store_id, hash: await sha256(secret), text: `${store_id}.${secret}` };
}

/** Reads the text of a secret. Gives null when it cannot be one. */
export async function readSecret(text: string): Promise<DashboardRef | null> {
  const [, store_id, secret] = pattern.exec(text) ?? [];
  if (store_id === undefined || secret === undefined) return null;
  return { store_id, hash: await sha256(secret) };
}
