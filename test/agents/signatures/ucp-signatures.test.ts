import { generateKeyPairSync } from "node:crypto";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "vitrine";
import { toNode } from "vitrine/node";
import type { UcpOptions } from "vitrine/ucp";
import { createShop, type Shop } from "../../support/shop.ts";
import { storages } from "../../support/storages.ts";
import { endpointUrl, profile, type UcpClient, ucpClient, ucpEndpoint } from "../ucp-client.ts";
import { judge } from "../ucp-schemas.ts";
import {
  baseOfAnswer,
  digest,
  isSignedBy,
  type Jwk,
  publicOf,
  rfcKey,
  type Signing,
  signMessage,
} from "./http-signatures.ts";

let shop: Shop;

async function open(storage = memoryStorage()): Promise<void> {
  shop = await createShop(storage, { limits: { checkout: null, sessions: null, orders: null } });
}

const newKey = (kid: string, curve = "P-256"): Jwk => ({
  ...generateKeyPairSync("ec", { namedCurve: curve }).privateKey.export({ format: "jwk" }),
  kid,
});
const agentKey = newKey("agent-2026");
const storeKey = newKey("store-2026");
const agentKeys = (url: string): Jwk[] => (url === profile ? [publicOf(agentKey)] : []);

const clientOf = (options: Partial<UcpOptions> = {}): UcpClient =>
  ucpClient(ucpEndpoint(shop, { agentKeys, onError: raise, ...options }));
const raise = (error: unknown): never => {
  throw error;
};
const lines = (quantity = 2) => ({ line_items: [{ item: { id: shop.product.id }, quantity }] });

interface Wish extends Partial<Signing> {
  readonly body?: unknown;
  /** These headers are sent in place of those that were signed. */
  readonly sent?: Readonly<Record<string, string>>;
  readonly without?: string;
  readonly more?: readonly string[];
}

const seconds = (): number => Math.floor(Date.now() / 1_000);
const usual = ["@method", "@authority", "@path", "ucp-agent"];
const ofBody = ["idempotency-key", "content-digest", "content-type"];

/** Sends a signed request. Without a wish it is signed by all rules. */
async function sendSigned(send: UcpClient, method: string, path: string, wish: Wish = {}) {
  const { body, sent = {}, without, more = [] } = wish;
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers: Record<string, string> = {
    "ucp-agent": `profile="${profile}"`,
    "idempotency-key": crypto.randomUUID(),
    "content-type": "application/json",
    "content-digest": `sha-256=${digest(text)}`,
    ...wish.headers,
  };
  const query = path.includes("?") ? ["@query"] : [];
  const names = [...usual, ...query, ...(text ? ofBody : ["idempotency-key"])];
  const components = names.filter((name) => name !== without).map((name) => `"${name}"`);
  const signing = {
    method,
    url: endpointUrl + path,
    key: agentKey,
    components: [...components, ...more],
    params: `;created=${seconds()};keyid="agent-2026"`,
    label: "sig1",
    ...wish,
    headers,
  };
  const all = { ...headers, ...signMessage(signing), ...sent };
  return send(method, path, body, { headers: all });
}

const create = (send: UcpClient, wish: Wish = {}) =>
  sendSigned(send, "POST", "/checkout-sessions", { body: lines(), ...wish });
const refused = async (wish: Wish, options: Partial<UcpOptions> = {}) => {
  const { status, body } = await create(clientOf(options), wish);
  return [status, body.code, body.content];
};
const invalid = (why: string) => [401, "signature_invalid", expect.stringContaining(why)];

describe.each(storages)("a signed request of an agent, on %s", (_name, storage) => {
  beforeEach(async () => open(await storage()));

  test("buys, and reads its own order without a key of the host's; nobody else does", async () => {
    const send = clientOf({ requireSignatures: true, signingKey: storeKey });
    const made = await create(send);
    expect(made.status).toBe(201);
    await shop.storefront.checkout.submit(made.body.continue_url.split("/").at(-1), {
      payment_method_id: shop.a.method_id,
    });
    const path = `/checkout-sessions/${made.body.id}`;
    const { body } = await sendSigned(send, "GET", path);
    expect(body.status).toBe("completed");

    const order = await sendSigned(send, "GET", `/orders/${body.order.id}`);
    expect([order.status, order.body.checkout_id]).toEqual([200, made.body.id]);
    const unsigned = await clientOf()("GET", `/orders/${body.order.id}`);
    expect([unsigned.status, unsigned.body.code]).toEqual([401, "signature_missing"]);
    const posing = await sendSigned(send, "GET", `/orders/${body.order.id}`, {
      key: newKey("agent-2026"),
    });
    expect([posing.status, posing.body.code]).toEqual([401, "signature_invalid"]);
  });

  test("that is changed on its way makes nothing", async () => {
    const send = clientOf();
    const body = lines(1);
    const other = JSON.stringify(lines(9));
    const headers = {
      "ucp-agent": `profile="${profile}"`,
      "idempotency-key": "one",
      "content-type": "application/json",
      "content-digest": `sha-256=${digest(JSON.stringify(body))}`,
    };
    const signed = signMessage({
      method: "POST",
      url: `${endpointUrl}/checkout-sessions`,
      headers,
      key: agentKey,
      components: [...usual, ...ofBody].map((name) => `"${name}"`),
      params: ';keyid="agent-2026"',
      label: "sig1",
    });
    const posted = (changed: object, raw = JSON.stringify(body)) =>
      send("POST", "/checkout-sessions", body, {
        headers: { ...headers, ...signed, ...changed },
        raw,
      });

    const swapped = await posted({}, other);
    expect([swapped.status, swapped.body.code]).toEqual([400, "digest_mismatch"]);
    const redigested = await posted({ "content-digest": `sha-256=${digest(other)}` }, other);
    expect([redigested.status, redigested.body.code]).toEqual([401, "signature_invalid"]);
    expect((await posted({ "idempotency-key": "two" })).status).toBe(401);

    const first = await posted({});
    const repeated = await posted({});
    expect([first.status, repeated.body.id]).toEqual([201, first.body.id]);
  });
});

describe("a signature", () => {
  beforeEach(() => open());

  test("counts in every form that RFC 9421 and the protocol allow", async () => {
    const status = async (wish: Wish, options: Partial<UcpOptions> = {}) =>
      (await create(clientOf(options), wish)).status;
    expect(await status({ params: ';keyid="agent-2026"' })).toBe(201);
    const params = `;keyid="agent-2026";alg="ecdsa-p256-sha256";nonce="a\\"b\\\\c";created=${seconds()}`;
    expect(await status({ params })).toBe(201);
    expect(await status({ more: ['"@target-uri"', '"@scheme"'] })).toBe(201);

    const text = JSON.stringify(lines());
    const both = `sha-512=${digest(text, "sha512")}, sha-256=${digest(text)}, md5=:AAAA:`;
    expect(await status({ headers: { "content-digest": both } })).toBe(201);

    const key = { ...rfcKey, kid: 'a"b\\c' };
    const quoted = { key, params: ';keyid="a\\"b\\\\c"' };
    expect(await status(quoted, { agentKeys: () => [publicOf(key)] })).toBe(201);
  });

  test("of a Web bot counts by the thumbprint of its key", async () => {
    const { calculateJwkThumbprint } = await import("jose");
    const kid = await calculateJwkThumbprint(rfcKey);
    const options = { agentKeys: () => [{ ...publicOf(rfcKey), kid }, publicOf(agentKey)] };
    const bot = (keyid: string, key: Jwk) => ({
      key,
      headers: { "signature-agent": 'sig1="https://agent.example/ucp";type=jwks_uri' },
      more: ['"signature-agent";key="sig1"'],
      params: `;keyid="${keyid}";created=${seconds()};expires=${seconds() + 60};tag="web-bot-auth"`,
    });
    expect((await create(clientOf(options), bot(kid, rfcKey))).status).toBe(201);
    expect(await refused(bot("agent-2026", agentKey), options)).toEqual(invalid("thumbprint"));
    const bare = { headers: bot("", rfcKey).headers };
    expect(await refused(bare)).toEqual(invalid("does not cover signature-agent"));
  });

  test("must cover the target, the body, the key and the agent", async () => {
    for (const name of [...usual, ...ofBody])
      expect(await refused({ without: name })).toEqual(invalid(`does not cover ${name}.`));
    const search = await sendSigned(clientOf(), "GET", "/checkout-sessions/chk_1?a=1", {
      components: usual.map((name) => `"${name}"`),
    });
    expect(search.body.content).toContain("does not cover @query, idempotency-key.");
  });

  test("must be of this time, this place and this key", async () => {
    const at = (created: number | string) => ({ params: `;created=${created};keyid="agent-2026"` });
    expect(await refused(at(seconds() - 301))).toEqual(invalid("older than 5 minutes"));
    expect((await create(clientOf(), at(seconds() - 290))).status).toBe(201);
    expect(await refused(at(seconds() + 90))).toEqual(invalid("yet to come"));
    expect(await refused(at('"1"'))).toEqual(invalid("integers"));
    expect(await refused({ params: ';expires=1;keyid="agent-2026"' })).toEqual(invalid("expired"));

    const elsewhere = "https://other.example/ucp/checkout-sessions";
    expect(await refused({ url: elsewhere })).toEqual(invalid("not made with this key"));
    expect(await refused({ url: `${endpointUrl}/carts` })).toEqual(
      invalid("not made with this key"),
    );
    expect(await refused({ method: "PUT" })).toEqual(invalid("not made with this key"));

    expect(await refused({ params: ';keyid="gone"' })).toEqual([
      401,
      "key_not_found",
      'sig1: The profile has no key "gone".',
    ]);
    expect((await refused({ params: "" }))[1]).toBe("key_not_found");
    const foreign = { "ucp-agent": 'profile="https://other.example/ucp"' };
    expect((await refused({ headers: foreign }))[1]).toBe("key_not_found");
    const forEncryption = () => [{ ...publicOf(agentKey), use: "enc" }];
    expect((await refused({}, { agentKeys: forEncryption }))[1]).toBe("key_not_found");
  });

  test("of another algorithm than the key's does not count", async () => {
    const unsupported = [400, "algorithm_unsupported", expect.any(String)];
    const by = (key: Jwk) => refused({}, { agentKeys: () => [key] });
    expect(await by({ kid: "agent-2026", kty: "oct", k: "c2VjcmV0" })).toEqual(unsupported);
    expect(await by(publicOf(newKey("agent-2026", "P-384")))).toEqual(unsupported);
    expect(await by({ ...publicOf(agentKey), alg: "none" })).toEqual(unsupported);
    const named = { params: ';alg="hmac-sha256";keyid="agent-2026"' };
    expect(await refused(named)).toEqual(unsupported);
    expect(await by({ ...publicOf(agentKey), y: "AAAA" })).toEqual(
      invalid("not made with this key"),
    );
  });

  test("needs the SHA-256 of the body", async () => {
    const text = JSON.stringify(lines());
    const headers = (value: string) => ({ headers: { "content-digest": value } });
    const mismatch = (why: string) => [400, "digest_mismatch", expect.stringContaining(why)];
    const only512 = headers(`sha-512=${digest(text, "sha512")}`);
    expect(await refused(only512)).toEqual(mismatch("must have the sha-256"));
    const wrong512 = headers(`sha-256=${digest(text)}, sha-512=${digest("x", "sha512")}`);
    expect(await refused(wrong512)).toEqual(mismatch("sha-512"));
    const twice = headers(`sha-256=${digest("x")}, sha-256=${digest(text)}`);
    expect(await refused(twice)).toEqual(mismatch("must have the sha-256"));
    expect(await refused(headers("sha-256"))).toEqual(mismatch("sha-256"));
  });

  test("beside a wrong one counts, and a wrong one beside another wrong one does not", async () => {
    const text = JSON.stringify(lines());
    const headers = {
      "ucp-agent": `profile="${profile}"`,
      "idempotency-key": "k",
      "content-type": "application/json",
      "content-digest": `sha-256=${digest(text)}`,
    };
    const signed = (label: string, key: Jwk) =>
      signMessage({
        method: "POST",
        url: `${endpointUrl}/checkout-sessions`,
        headers,
        key,
        label,
        components: [...usual, ...ofBody].map((name) => `"${name}"`),
        params: ';keyid="agent-2026"',
      });
    const post = (...all: ReturnType<typeof signed>[]) =>
      clientOf()("POST", "/checkout-sessions", lines(), {
        headers: {
          ...headers,
          "signature-input": all.map((one) => one["signature-input"]).join(", "),
          signature: all.map(({ signature }) => signature).join(", "),
        },
      });
    const right = signed("right", agentKey);
    const wrong = signed("wrong", storeKey);
    expect((await post(wrong, right)).status).toBe(201);
    expect((await post(right, wrong)).status).toBe(201);
    expect((await post(wrong, signed("again", storeKey))).body.content).toBe(
      "wrong: The signature was not made with this key, or the request has changed. again: The signature was not made with this key, or the request has changed.",
    );
    // Who counts the first and who counts the last of two must not differ.
    const same = await post(right, signed("right", storeKey));
    expect([same.status, same.body.content]).toEqual([401, "Signature-Input cannot be read."]);
    const many = Array.from({ length: 6 }, (_, index) => signed(`s${index}`, agentKey));
    expect((await post(...many)).body.content).toBe("There are too many signatures.");
  });

  test("is written in one way only: what differs in order or text is not what was signed", async () => {
    const input = (text: string) => ({ sent: { "signature-input": text } });
    const { components } = { components: [...usual, ...ofBody].map((name) => `"${name}"`) };
    const list = components.join(" ");
    const fixed = { params: ';keyid="agent-2026";nonce="n"', components };
    const told = (text: string) => refused({ ...fixed, ...input(text) });
    const spaced = {
      ...fixed,
      ...input(`sig1=(  ${components.join("   ")} );  keyid="agent-2026"; nonce="n"`),
    };
    expect((await create(clientOf(), spaced)).status).toBe(201);

    const wrong = invalid("not made with this key");
    expect(await told(`sig1=(${list});nonce="n";keyid="agent-2026"`)).toEqual(wrong);
    expect(await told(`sig1=(${list});keyid="agent-2026";nonce=n`)).toEqual(wrong);
    const reversed = [...components].reverse().join(" ");
    expect(await told(`sig1=(${reversed});keyid="agent-2026";nonce="n"`)).toEqual(wrong);
    const lacking = (name: string) => invalid(`has no ${name} that can be verified`);
    const extra = (name: string) => told(`sig1=(${list} ${name});keyid="agent-2026"`);
    for (const name of ['"x-none"', '"@method"', '"@status"', '"ucp-agent";sf', '"UCP-Agent"', "7"])
      expect(await extra(name)).toEqual(lacking(name));
  });

  const broken = [
    "",
    "sig1",
    "sig1=",
    "sig1=(",
    'sig1=("@method"',
    'sig1=("@method""@path")',
    'sig1=("\\@method")',
    'sig1=("é")',
    "sig1=1.2345",
    "sig1=::,",
    "sig1=:=:",
    "sig1=:a:",
    'sig1=();keyid="a',
    'sig1=();keyid="a";keyid="b"',
    "sig1=?2",
    "SIG1=()",
    'sig1=("@method"), sig1=()',
    `sig1=(${'"a" '.repeat(2_000)}`,
    `sig1=();${"a;".repeat(2_000)}=`,
    "__proto__=()",
    'constructor=("constructor" "@constructor");keyid="constructor"',
    '*=("__proto__");keyid="agent-2026"',
    "sig1=@1700000000;created=@1",
    "sig1=tok/en:1;created=-0;keyid=tok",
    "sig1=99999999999999999999",
  ];

  test.each(broken)("with the header %j is refused, never an error of the store", async (text) => {
    for (const name of ["signature-input", "signature", "content-digest"]) {
      const { status, body } = await create(clientOf(), { sent: { [name]: text || " " } });
      expect([400, 401], `${name} ${JSON.stringify(body)}`).toContain(status);
      expect(body.code).toMatch(/^(signature_|key_not_found|digest_mismatch)/);
    }
  });

  test("is asked for where the host requires it, and not judged where it has no keys", async () => {
    const send = clientOf({ requireSignatures: true });
    const { status, body } = await send("POST", "/catalog/search", { query: "product" });
    expect([status, body.code]).toEqual([401, "signature_missing"]);
    expect((await send("GET", "/.well-known/ucp")).status).toBe(200);
    const half = { sent: { signature: "" } };
    expect((await refused(half))[1]).toBe("signature_missing");

    const unjudged = { agentKeys: undefined };
    expect((await create(clientOf(unjudged), { key: storeKey })).status).toBe(201);
  });
});

describe("the keys of an agent", () => {
  beforeEach(() => open());
  afterEach(() => void vi.useRealTimers());

  const document = (keys?: unknown) => ({
    ucp: {
      version: "2026-08-25",
      capabilities: { "dev.ucp.shopping.checkout": [{ version: "2026-08-25" }] },
    },
    ...(keys !== undefined && { keys }),
  });

  test("are those of its profile, where the host fetches that", async () => {
    const by = (keys?: unknown) =>
      refused({}, { agentKeys: undefined, fetchProfile: async () => document(keys) });
    expect((await by([{ kty: "future" }, publicOf(agentKey)]))[0]).toBe(201);
    expect((await by())[1]).toBe("key_not_found");
    expect((await by("all"))[1]).toBe("profile_malformed");
    expect((await by([null, 7, []]))[1]).toBe("key_not_found");
  });

  test("are read once, and anew for a key that is not among them, once a minute", async () => {
    let asked = 0;
    const send = clientOf({
      agentKeys: async () => {
        asked += 1;
        return [publicOf(agentKey)];
      },
    });
    for (let turn = 0; turn < 3; turn += 1) await create(send);
    for (let turn = 0; turn < 3; turn += 1) await create(send, { params: ';keyid="new"' });
    expect(asked).toBe(1);

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    await create(send);
    expect(asked).toBe(1);
    for (let turn = 0; turn < 3; turn += 1) await create(send, { params: ';keyid="new"' });
    expect(asked).toBe(2);
  });

  test("that cannot be had are told, and `authorize` learns who signed", async () => {
    const failing = () => Promise.reject(new Error("down"));
    expect((await refused({}, { agentKeys: failing }))[1]).toBe("profile_unreachable");
    expect((await refused({}, { agentKeys: () => null as never }))[1]).toBe("key_not_found");

    const seen: unknown[] = [];
    const send = clientOf({ authorize: ({ signed }) => seen.push(signed) > 0 && signed });
    expect((await create(send)).status).toBe(201);
    expect((await send("POST", "/checkout-sessions", lines())).status).toBe(401);
    expect(seen).toEqual([true, false]);
  });
});

describe("an answer", () => {
  beforeEach(() => open());

  test("RFC 9421, B.2.4: the judge of these tests takes the example for true", () => {
    const answer = {
      status: 200,
      headers: new Headers({
        "content-type": "application/json",
        "content-digest":
          "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:",
        "content-length": "23",
        "signature-input":
          'sig-b24=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
        signature:
          "sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==:",
      }),
    };
    const { base, signature } = baseOfAnswer(answer, "sig-b24");
    expect(isSignedBy(rfcKey, base, signature)).toBe(true);
    expect(isSignedBy(rfcKey, base.replace("200", "201"), signature)).toBe(false);
  });

  test("is signed with the store's key, which the profile shows without its private part", async () => {
    const send = clientOf({ signingKey: { ...storeKey, kid: 'store "1" \\ a' } });
    const { body } = await send("GET", "/.well-known/ucp");
    judge("profile.json#/$defs/business_schema", body);
    expect(body.keys).toEqual([
      { ...publicOf(storeKey), kid: 'store "1" \\ a', use: "sig", alg: "ES256" },
    ]);

    const answers = [
      await send("POST", "/checkout-sessions", lines()),
      await send("GET", "/checkout-sessions/chk_none"),
      await send("GET", "/nowhere"),
      await send("POST", "/checkout-sessions", lines(), { headers: { "ucp-agent": undefined } }),
      await create(send, { key: storeKey }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 404, 400, 401]);
    for (const answer of answers) {
      const { names, params, base, signature } = baseOfAnswer(answer);
      expect(names).toEqual(["@status", "content-digest", "content-type"]);
      expect(params).toMatch(/^;created=\d+;keyid="store \\"1\\" \\\\ a"$/);
      expect(isSignedBy(body.keys[0], base, signature)).toBe(true);
      expect(answer.headers.get("content-digest")).toBe(`sha-256=${digest(answer.text)}`);
    }
  });

  test("has no signature without a key", async () => {
    const send = clientOf();
    const { headers } = await send("POST", "/checkout-sessions", lines());
    expect([headers.get("signature"), headers.get("content-digest")]).toEqual([null, null]);
    expect((await send("GET", "/.well-known/ucp")).body.keys).toBeUndefined();
  });
});

describe("over a socket", () => {
  beforeEach(() => open());

  interface Parsed {
    rawBody?: Buffer;
    body?: unknown;
  }

  /** Posts with each header in a line of its own, to a host that may have a parser in front. */
  async function post(parser: (req: Parsed, bytes: Buffer) => void, body: unknown) {
    const seen: unknown[] = [];
    const serve = toNode(ucpEndpoint(shop, { agentKeys, onError: (error) => seen.push(error) }));
    const server = createServer(async (req, res) => {
      if (parser !== unread) {
        const chunks: Buffer[] = [];
        for await (const chunk of req) chunks.push(chunk);
        parser(req as Parsed, Buffer.concat(chunks));
      }
      serve(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;

    const text = body === undefined ? "" : JSON.stringify(body);
    const headers = {
      "ucp-agent": `profile="${profile}"`,
      "content-type": "application/json",
      "content-digest": `sha-256=${digest(text)}`,
    };
    const method = text ? "POST" : "GET";
    const path = text ? "/catalog/search" : "/checkout-sessions/chk_none";
    const names = text ? [...usual, "content-digest", "content-type"] : usual;
    const made = [storeKey, agentKey].map((key, index) =>
      signMessage({
        method,
        url: endpointUrl + path,
        headers,
        key,
        components: names.map((name) => `"${name}"`),
        params: ';keyid="agent-2026"',
        label: `s${index}`,
      }),
    );
    const lined = {
      ...headers,
      "signature-input": made.map((one) => one["signature-input"]),
      signature: made.map(({ signature }) => signature),
    };
    const options = { host: "127.0.0.1", port, method, path: `/ucp${path}`, headers: lined };
    const status = await new Promise((resolve, reject) => {
      const req = request(options, (res) => {
        res.resume();
        resolve(res.statusCode);
      });
      req.on("error", reject);
      req.end(text);
    });
    server.close();
    return [status, ...seen.map(String)];
  }
  const unread = () => {};
  const parsed = (req: Parsed, bytes: Buffer) => {
    req.body = bytes.length > 0 ? JSON.parse(String(bytes)) : {};
  };
  const keeping = (req: Parsed, bytes: Buffer) => {
    parsed(req, bytes);
    req.rawBody = bytes;
  };

  test("signatures in lines of their own count, behind a parser that keeps the bytes too", async () => {
    const search = { query: "product" };
    expect(await post(unread, search)).toEqual([200]);
    expect(await post(keeping, search)).toEqual([200]);
    expect(await post(unread, undefined)).toEqual([200]);
    expect(await post(parsed, undefined)).toEqual([200]);
    expect(await post(parsed, search)).toEqual([503, expect.stringContaining("rawBody")]);
  });
});

describe("wrong options", () => {
  beforeEach(() => open());

  test("fail at the start, and say how to mend them", async () => {
    const wrong = (options: object) => () => clientOf(options);
    const { d: _, ...half } = storeKey;
    for (const signingKey of ["key", null, half, newKey("a", "P-384"), { ...storeKey, d: 7 }])
      expect(wrong({ signingKey })).toThrow(
        /Option signingKey must be a private JSON Web Key of ES256/,
      );
    for (const kid of [undefined, "", "é", "a\n"])
      expect(wrong({ signingKey: { ...storeKey, kid } })).toThrow(
        "Option signingKey must have a kid",
      );
    expect(wrong({ agentKeys: [] })).toThrow("Option agentKeys must be a function.");
    expect(wrong({ requireSignatures: 1 })).toThrow(
      "Option requireSignatures must be true or false.",
    );
    expect(wrong({ requireSignatures: true, agentKeys: undefined })).toThrow(
      "Option requireSignatures needs agentKeys or fetchProfile, which find the keys.",
    );

    const seen: unknown[] = [];
    const signingKey = { ...storeKey, d: newKey("b")["d"] };
    const send = clientOf({ signingKey, onError: (error) => seen.push(error) });
    expect((await send("POST", "/checkout-sessions", lines())).status).toBe(503);
    expect(seen.map(String)).toEqual([expect.any(String)]);
  });
});
