import { isApiError } from "../../contract/errors.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { Partition } from "../records.ts";

/** What lets a buyer see the customer page: a mailed link, or the session of a browser. */
export interface PagePass extends Partition {
  readonly customer_id: string;
  /** Shows this order and its subscription alone. Absent where all of the buyer's are shown. */
  readonly order_id?: string;
  /** Names the pass. A link's name is marked as used. */
  readonly id: string;
  /** In epoch milliseconds. A later revocation of the buyer's tokens ends the pass. */
  readonly issued_at: number;
  /** The time from which on the pass is refused, in epoch milliseconds. */
  readonly expires_at: number;
}

/** A pass of one use is no pass of another. */
type PassUse = "link" | "session";

const maxLength = 2_000;

/** Writes a pass as a text that nobody else can write or read, fit for an address or a cookie. */
export const sealPass = (keyRing: KeyRing, use: PassUse, pass: PagePass): Promise<string> =>
  keyRing.seal(JSON.stringify(pass), `customer-page-${use}`);

/** Reads a pass. Gives null for one that is forged, of another use, or past its time. */
export async function openPass(
  keyRing: KeyRing,
  use: PassUse,
  { text, now }: { readonly text: string; readonly now: number },
): Promise<PagePass | null> {
  if (text.length > maxLength) return null;
  try {
    // Only this deployment's keys can have sealed it, so that it has the fields of a pass.
    const pass: PagePass = JSON.parse(await keyRing.unseal(text, `customer-page-${use}`));
    return now < pass.expires_at ? pass : null;
  } catch (error) {
    if (isApiError(error)) return null;
    throw error;
  }
}
