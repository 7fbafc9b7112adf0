import { fail } from "../../contract/errors.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { iso } from "../../domain/text/iso.ts";
import type { ExternalSession } from "../../rules/checkout/checkout-urls.ts";
import type { SessionRecord } from "../../rules/records.ts";

type BuildAddress = (session: ExternalSession) => string | Promise<string>;

export const timeoutMs = 25_000;
const maxLength = 2_048;

/**
 * Asks the host's `checkout.url` for the address of a session. A failure of it is
 * answered with 503, so that the client tries again under the same key.
 */
export async function buildHostAddress(
  build: BuildAddress,
  session: SessionRecord,
): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("checkout.url took longer than 25 s.")), timeoutMs);
  });

  try {
    const address: unknown = await Promise.race([build(externalSession(session)), timeout]);
    if (isAddress(address)) return address;
    throw new Error("checkout.url must give an https address (or http://localhost).");
  } catch (cause) {
    return fail("service_unavailable", { retry_after: 1, cause });
  } finally {
    clearTimeout(timer);
  }
}

const isAddress = (address: unknown): address is string =>
  typeof address === "string" &&
  address.length <= maxLength &&
  /^(https:\/\/|http:\/\/localhost[:/])/.test(address) &&
  parseUrl(address) !== null;

const externalSession = (session: SessionRecord): ExternalSession => ({
  id: session.id,
  store_id: session.store_id,
  livemode: session.livemode,
  amount_total: session.amount_total,
  currency: session.currency,
  line_items: session.lines.map(({ name, quantity, unit_amount, amount_total }) => ({
    name,
    quantity,
    unit_amount,
    amount_total,
  })),
  customer: { email: session.email, discord_id: session.discord_id },
  success_url: session.success_url,
  cancel_url: session.cancel_url,
  metadata: session.metadata,
  expires_at: iso(session.expires_at),
});
