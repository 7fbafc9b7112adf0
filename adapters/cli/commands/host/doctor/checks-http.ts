import { type Check, type Examined, type Finding, found } from "./check.ts";

const answerMs = 5_000;
/** Nobody has this address: it is kept for documentation (RFC 5737). */
const forgedAddress = "198.51.100.77";
const forgedNetwork = "198.51.100.0/24";

/** Looks at the host as a client does, at its publicUrl. */
export const httpChecks: readonly Check[] = [
  {
    name: "mount path",
    async run({ host }) {
      const { publicOrigin, basePath } = host.parts.settings;
      if (publicOrigin === "") return null;
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
      const bases = new Set(Object.values(checkoutBase ?? {}).map(String));
      const answers = await Promise.all(
        [...bases]
          .filter((base) => publicOrigin !== "" && base.startsWith(publicOrigin))
          .map(async (base): Promise<readonly Finding[]> => {
            const answer = await ask(`${base}/nobody`);
            const policy = answer?.headers.get("content-security-policy");
            const isPage = policy?.includes("style-src") ?? false;
            return found(
              answer !== null && !isPage,
              `${base} does not lead to the checkout page (${answer?.status}).`,
              "Mount storefront.checkoutPage there: buyers pay at this address.",
            );
          }),
      );
      return answers.flat();
    },
  },
  {
    name: "body parser",
    async run({ host }) {
      const { publicOrigin, basePath } = host.parts.settings;
      if (publicOrigin === "") return null;
      const answer = await ask(`${publicOrigin}${basePath}/checkout/sessions`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{",
      });
      return found(
        answer?.status === 400 && !answer.text.includes('"missing_api_key"'),
        "A parser of the host reads bodies before the API and answers in its place.",
        "Mount the storefront above express.json() and the like.",
      );
    },
  },
  {
    name: "proxy",
    async run(examined) {
      const network = await seenNetwork(examined);
      if (network === null) return null;
      const isForged = network === forgedNetwork;
      return found(
        isForged,
        "The host believes every X-Forwarded-For: a client can choose its own address.",
        "Set `trust proxy` (Express) or `trustProxy` (Fastify) to your proxy's address.",
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
async function seenNetwork({ host, testKey, storeIds }: Examined): Promise<string | null> {
  const { publicOrigin, basePath, requestLog } = host.parts.settings;
  if (testKey === undefined || publicOrigin === "" || !requestLog) return null;

  const headers = { authorization: `Bearer ${testKey}`, "x-forwarded-for": forgedAddress };
  const answer = await ask(`${publicOrigin}${basePath}/store`, { headers });
  const id = answer?.headers.get("x-request-id");
  if (!id) return null;

  // The host writes its log in blocks, a moment later.
  for (let tries = 0; tries < 12; tries += 1) {
    for (const store_id of storeIds) {
      const { requests } = host.storefront.owner;
      const request = await requests.retrieve({ store_id, id }).catch(() => null);
      if (request) return request.network;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
  return null;
}
