import { createHmac, timingSafeEqual } from "node:crypto";
import { join } from "node:path";
import { Webhook as StandardWebhook } from "standardwebhooks";
import Stripe from "stripe";
import { Webhook as SvixWebhook } from "svix";
import type { signWebhook as Sign, verifyWebhook as Verify } from "vitrine/webhooks";
import { builtPackage } from "./dist.ts";
import { alternate, callsPerSecond } from "./measure.ts";
import { atLeast, type Options, type Row } from "./row.ts";
import { startProfile, stopProfile } from "./servers/profile.ts";

/**
 * Loads the published verifier. The loader that runs the bench would slow ours: it
 * names functions at each call, and does so in no peer.
 */
const published = (): Promise<{ signWebhook: typeof Sign; verifyWebhook: typeof Verify }> =>
  import(join(builtPackage(), "dist/webhooks.js"));
const secret = `whsec_${"A".repeat(43)}=`;
const text = JSON.stringify({ id: "evt_1", type: "order.paid", data: { text: "x".repeat(940) } });
const rawBody = Buffer.from(text);

/** Verifies and parses one kilobyte. Each library has its own header, all with HMAC-SHA-256. */
export async function benchVerify({ seconds, rounds }: Options): Promise<Row[]> {
  const { signWebhook, verifyWebhook } = await published();
  const timestamp = Math.floor(Date.now() / 1_000);
  const header = await signWebhook({ rawBody, secret, timestamp });
  const stripe = new Stripe("sk_test_x");
  const [svix, standard] = [new SvixWebhook(secret), new StandardWebhook(secret)];
  const standardHeaders = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(timestamp),
    "webhook-signature": standard.sign("msg_1", new Date(timestamp * 1_000), text),
  };
  const timed = (once: () => unknown) => (): Promise<number> => callsPerSecond(seconds, once);
  const ours = timed(async () => {
    if (!(await verifyWebhook({ rawBody, header, secret })).ok) throw new Error("refused");
  });
  const key = await crypto.subtle.importKey(
    "raw",
    Buffer.from(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const work = "verify 1 KB and parse";
  const onNode: Row = {
    work,
    unit: "per second",
    ...(await alternate(rounds, {
      vitrine: ours,
      "bare HMAC": timed(() => bare(header)),
      stripe: timed(() =>
        stripe.webhooks.constructEvent(rawBody, header, secret, Number.MAX_SAFE_INTEGER),
      ),
      svix: timed(() => svix.verify(text, standardHeaders)),
      standardwebhooks: timed(() => standard.verify(text, standardHeaders)),
    })),
    base: "bare HMAC",
    targets: atLeast("vitrine", { "bare HMAC": 0.9, stripe: 1.05, svix: 2.5 }),
  };
  // This runs afterwards and not in turns. No real process uses both ways, and V8 would compile the
  // verifier for both.
  const [name, base] = ["vitrine, no node:crypto", "WebCrypto, key cached"];
  const elsewhere: Row = {
    work: `${work}, where there is no node:crypto`,
    unit: "per second",
    ...(await alternate(rounds, {
      [name]: () => withoutNode(ours),
      [base]: timed(() => webCrypto(key, header)),
    })),
    base,
    targets: atLeast(name, { [base]: 0.9 }),
  };
  return [onNode, elsewhere];
}

export async function profileOfVerify({ seconds }: Options): Promise<Record<string, number>> {
  const { signWebhook, verifyWebhook } = await published();
  const header = await signWebhook({ rawBody, secret, timestamp: Math.floor(Date.now() / 1_000) });
  await startProfile();
  await callsPerSecond(seconds, () => verifyWebhook({ rawBody, header, secret }));
  return stopProfile();
}

const partsOf = (header: string): string[] =>
  header.split(",").map((part) => part.slice(part.indexOf("=") + 1));

function bare(header: string): void {
  const [t = "", v1 = ""] = partsOf(header);
  const expected = createHmac("sha256", secret).update(`${t}.`).update(rawBody).digest();
  if (!timingSafeEqual(expected, Buffer.from(v1, "hex"))) throw new Error("mismatch");
  JSON.parse(rawBody.toString());
}

async function webCrypto(key: CryptoKey, header: string): Promise<void> {
  const [t = "", v1 = ""] = partsOf(header);
  const signed = Buffer.concat([Buffer.from(`${t}.`), rawBody]);
  if (!(await crypto.subtle.verify("HMAC", key, Buffer.from(v1, "hex"), signed)))
    throw new Error("mismatch");
  JSON.parse(rawBody.toString());
}

/** Hides Node's built-in modules as other hosts do, so that the verifier takes WebCrypto. */
async function withoutNode(run: () => Promise<number>): Promise<number> {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    return await run();
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}
