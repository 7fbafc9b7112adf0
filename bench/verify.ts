import { createHmac, timingSafeEqual } from "node:crypto";
import Stripe from "stripe";
import { signWebhook, verifyWebhook } from "vitrine/webhooks";
import { alternate } from "./measure.ts";
import type { Row } from "./results.ts";

/** One kilobyte, parse included. */
export async function benchVerify({ seconds, rounds }: { readonly seconds: number; readonly rounds: number }): Promise<Row[]> {
  const secret = `whsec_${"a".repeat(43)}`;
  const rawBody = Buffer.from(JSON.stringify({ id: "evt_1", type: "order.paid", data: { text: "x".repeat(940) } }));
  const timestamp = Math.floor(Date.now() / 1000);
  const header = await signWebhook({ rawBody, secret, timestamp });
  const stripe = new Stripe("sk_test_x");
  const bare = (): void => {
    const [t = "", v1 = ""] = header.split(",").map((part) => part.slice(part.indexOf("=") + 1));
    const expected = createHmac("sha256", secret).update(`${t}.`).update(rawBody).digest();
    if (!timingSafeEqual(expected, Buffer.from(v1, "hex"))) throw new Error("mismatch");
    JSON.parse(rawBody.toString());
  };
  const perSecond = (once: () => unknown) => async (): Promise<number> => {
    const until = performance.now() + seconds * 1000;
    let count = 0;
    while (performance.now() < until) for (let at = 0; at < 200; at++, count++) await once();
    return count / seconds;
  };
  const result = await alternate(rounds, {
    vitrine: perSecond(async () => {
      if (!(await verifyWebhook({ rawBody, header, secret })).ok) throw new Error("refused");
    }),
    "bare HMAC": perSecond(bare),
    stripe: perSecond(() => stripe.webhooks.constructEvent(rawBody, header, secret, Number.MAX_SAFE_INTEGER)),
  });
  return [{ work: "verify 1 KB and parse", perSecond: result, base: "bare HMAC" }];
}
