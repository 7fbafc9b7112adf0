import { type Check, type Examined, type Finding, found } from "./check.ts";

const answerMs = 5_000;
/** Nobody has this address: it is kept for documentation (RFC 5737). */
const forgedAddress = "198.51.100.77";
const forgedNetwork = "198.51.100.0/24";

const needsHost = "needs a running host: nobody answers at publicUrl";
const needsAddress = "needs the host's address: the option publicUrl";

/** Looks at the host as a client does, at its publicUrl. */
export const httpChecks: readonly Check[] = [
  {
    name: "mount path",
    async run({ host }) {
      const { publicOrigin, basePath } = host.parts.settings;
      if (publicOrigin === "") return needsAddress;
      const url = `${publicOrigin}${basePath}/openapi.json`;
      const answer = await ask(url);
      if (!answer)
        return found(
          true,
          `Nobody answers at ${publicOrigin}.`,
          "Start the host, or correct publicUrl.",
        );
      return found(
        answer.status !== 200 || !answer.text.startsWith('{"openapi"'),
        `${url} is not the API's (${answer.status}).`,
        `Mount the storefront so that its full path is ${basePath}, or set basePath to its place.`,
      );
    },
  },
  {
    name: "checkout page",
    async run({ host }) {
      const { checkoutBase, publicOrigin } = host.parts.settings;
      if (publicOrigin === "") return needsAddress;
      const bases = new Set(Object.values(checkoutBase ?? {}).map(String));
      const own = [...bases].filter((base) => base.startsWith(publicOrigin));
      if (own.length === 0) return "needs a page of this host: yours is at another address";

      const findings: Finding[] = [];
      for (const base of own) {
        const answer = await ask(`${base}/nobody`);
        if (!answer) return needsHost;
        const policy = answer.headers.get("content-security-policy");
        findings.push(
          ...found(
            !policy?.includes("style-src"),
            `${base} does not lead to the checkout page (${answer.status}).`,
            "Mount storefront.checkoutPage there: buyers pay at this address.",
          ),
        );
      }
      return findings;
    },
  },
  {
    name: "body parser",
    async run({ host }) {
      const { publicOrigin, basePath } = host.parts.settings;
      if (publicOrigin === "") return needsAddress;
      const answer = await ask(`${publicOrigin}${basePath}/checkout/sessions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{",
      });
      if (!answer) return needsHost;
      return found(
        answer.status === 400 && !answer.text.includes('"missing_api_key"'),
        "A parser of the host reads bodies before the API and answers in its place.",
        "Mount the storefront above express.json() and the like.",
      );
    },
  },
  {
    name: "proxy",
    async run(examined) {
      const { publicOrigin, requestLog } = examined.host.parts.settings;
      if (publicOrigin === "") return needsAddress;
      if (!requestLog) return "needs the request log: `requestLog: {}` of createStorefront";
      const { testKey } = examined;
      if (testKey === undefined) return "needs a secret key of test mode in VITRINE_API_KEY";

      const network = await seenNetwork(examined, testKey);
      if (network === null) return "needs a running host that takes the key of VITRINE_API_KEY";
      return found(
        network === forgedNetwork,
        "The host believes every X-Forwarded-For: a client can choose its own address.",
        "Set `trust proxy` (Express) or `trustProxy` (Fastify) to your proxy's address. Where it " +
          "is set so, call the doctor from a machine that the host does not trust.",
      );
    },
  },
];

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer | null> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(url, { redirect: "manual", ...init, signal });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return null;
  }
}

/** Gives the network that the host's request log has of a request with a forged header. */
async function seenNetwork({ host, storeIds }: Examined, testKey: string): Promise<string | null> {
  const { publicOrigin, basePath } = host.parts.settings;
  const headers = { authorization: `Bearer ${testKey}`, "x-forwarded-for": forgedAddress };
  const answer = await ask(`${publicOrigin}${basePath}/store`, { headers });
  const id = answer?.headers.get("x-request-id");
  if (!id) return null;

  const ids = await storeIds();
  // The host writes its log in blocks, a moment later.
  for (let tries = 0; tries < 12; tries += 1) {
    for (const store_id of ids) {
      const { requests } = host.storefront.owner;
      const request = await requests.retrieve({ store_id, id }).catch(() => null);
      if (request) return request.network;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
  return null;
}
