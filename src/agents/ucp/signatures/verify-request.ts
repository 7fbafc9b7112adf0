import { fail } from "../../../contract/errors.ts";
import { minuteMs } from "../../../domain/durations.ts";
import { isBrokenOff, maxBodyBytes } from "../../../http/body.ts";
import { splitTarget, type WireRequest } from "../../../http/wire.ts";
import { ProtocolFault } from "../replies.ts";
import {
  type AgentKey,
  ecdsa,
  findKey,
  importPublic,
  isEs256,
  thumbprintOf,
} from "./agent-keys.ts";
import { digestFault } from "./digest.ts";
import { type SignedParts, signatureBase } from "./signature-base.ts";
import { type Member, parseDictionary } from "./structured-fields.ts";

/** The codes of the protocol for a signature that does not count, and their status. */
const statusOf = {
  signature_missing: 401,
  signature_invalid: 401,
  key_not_found: 401,
  digest_mismatch: 400,
  algorithm_unsupported: 400,
} as const;

interface Refusal {
  readonly code: keyof typeof statusOf;
  readonly why: string;
}

const refusal = (code: Refusal["code"], why: string): Refusal => ({ code, why });
const invalid = (why: string): Refusal => refusal("signature_invalid", why);
const refuse = ({ code, why }: Refusal): never => {
  throw new ProtocolFault(statusOf[code], code, why);
};

/** A signature counts for this long after its `created`. Clocks of agents may be this wrong. */
export const limits = { ageMs: 5 * minuteMs, aheadMs: minuteMs, signatures: 5 };

/** What a request is judged by. */
export interface Judging {
  /** The public address of the endpoint. Agents sign its host, whatever proxies make of it. */
  readonly endpoint: string;
  /** Gives the published keys. `isFresh` wants them read anew, unless that was done just now. */
  keys(isFresh: boolean): Promise<unknown>;
  readonly now: number;
}

export const isSigned = (request: WireRequest): boolean =>
  request.header("signature-input") !== undefined || request.header("signature") !== undefined;

export const signatureMissing = (): never =>
  refuse(refusal("signature_missing", "Sign the request: Signature-Input and Signature."));

/**
 * Verifies the signatures of a request (RFC 9421): one valid signature is enough. Gives a request
 * whose body can be read again. Throws the protocol's faults.
 */
export async function verifyRequest(request: WireRequest, judging: Judging): Promise<WireRequest> {
  const inputs = parseDictionary(request.header("signature-input") ?? "");
  const signatures = parseDictionary(request.header("signature") ?? "");
  if (!inputs) return refuse(invalid("Signature-Input cannot be read."));
  if (!signatures) return refuse(invalid("Signature cannot be read."));
  if (inputs.size === 0 || signatures.size === 0) return signatureMissing();
  if (inputs.size > limits.signatures) return refuse(invalid("There are too many signatures."));

  const received = receivedOf(request, await readBytes(request), judging.endpoint);
  const refusals: Refusal[] = [];
  for (const [label, input] of inputs) {
    const why = await judge(received, { input, signature: signatures.get(label) }, judging);
    if (!why) return { ...request, body: async () => received.body };
    refusals.push({ ...why, why: `${label}: ${why.why}` });
  }
  const [first = invalid("")] = refusals;
  return refuse({ ...first, why: refusals.map(({ why }) => why).join(" ") });
}

async function readBytes(request: WireRequest): Promise<Uint8Array> {
  const body = await request.body(maxBodyBytes).catch((cause: unknown) => {
    if (isBrokenOff(cause)) fail("invalid_json", { cause });
    throw cause;
  });
  if (body === null) return fail("request_too_large");
  if (body instanceof Uint8Array) return body;

  const length = request.header("content-length") ?? "0";
  if (length === "0" && request.header("transfer-encoding") === undefined) return new Uint8Array();
  throw new Error(
    "A body parser has read what was signed: mount the endpoint before it, or keep rawBody.",
  );
}

interface Received extends SignedParts {
  readonly body: Uint8Array;
  /** The components that a signature must cover. */
  readonly needed: readonly string[];
}

/** The headers that a signature must cover where the request has them. */
const bound = ["ucp-agent", "signature-agent", "idempotency-key"];

function receivedOf(request: WireRequest, body: Uint8Array, endpoint: string): Received {
  const { path, query } = splitTarget(request.target);
  const { host, protocol } = new URL(endpoint);
  const header = (name: string) => request.header(name);
  const derived = {
    "@method": request.method,
    "@authority": host,
    "@scheme": protocol.slice(0, -1),
    "@target-uri": `${protocol}//${host}${path}${query && `?${query}`}`,
    "@request-target": request.target,
    "@path": path,
    "@query": `?${query}`,
  };
  const needed = [
    "@method",
    "@authority",
    "@path",
    ...(query === "" ? [] : ["@query"]),
    ...(body.length === 0 ? [] : ["content-digest", "content-type"]),
    ...bound.filter((name) => header(name) !== undefined),
  ];
  return { derived, header, body, needed };
}

interface Candidate {
  readonly input: Member;
  readonly signature: Member | undefined;
}

/** Says why a signature does not count; null when it does. */
async function judge(
  received: Received,
  { input, signature }: Candidate,
  { keys, now }: Judging,
): Promise<Refusal | null> {
  const { items, params } = input;
  const wrong = coverageFault(received, input) ?? timeFault(params, now);
  if (!items || wrong) return invalid(wrong ?? "Signature-Input does not list what is signed.");
  if (!(signature?.value instanceof Uint8Array))
    return invalid("Signature lacks a label of Signature-Input.");

  const keyid = params.get("keyid")?.value;
  if (typeof keyid !== "string") return refusal("key_not_found", "Signature-Input has no keyid.");
  const key = findKey(await keys(false), keyid) ?? findKey(await keys(true), keyid);
  if (!key) return refusal("key_not_found", `The profile has no key ${JSON.stringify(keyid)}.`);

  const fault = await keyFault(key, input);
  if (fault) return fault;
  if (items.some(({ text }) => text === '"content-digest"')) {
    const differs = await digestFault(received.header("content-digest"), received.body);
    if (differs !== null) return refusal("digest_mismatch", differs);
  }
  const made = signatureBase(received, input);
  if ("lacks" in made) return invalid(`The request has no ${made.lacks} that can be verified.`);
  return (await isTrue(key, signature.value, made.base))
    ? null
    : invalid("The signature was not made with this key, or the request has changed.");
}

function coverageFault({ needed }: Received, { items, params }: Member): string | null {
  const tag = params.get("tag");
  if (tag && tag.value !== "web-bot-auth") return "Its tag is not one of the protocol.";

  // Parameters choose a part of a header. Of `signature-agent` the part of the signer will do.
  const covered = (items ?? []).map(({ value, text }) =>
    value === "signature-agent" ? value : text,
  );
  const missing = needed.filter(
    (name) => !covered.includes(name === "signature-agent" ? name : `"${name}"`),
  );
  return missing.length === 0 ? null : `It does not cover ${missing.join(", ")}.`;
}

function timeFault(params: Member["params"], now: number): string | null {
  const [created, expires] = ["created", "expires"].map((name) => {
    const param = params.get(name);
    return param && (Number.isInteger(param.value) ? Number(param.value) * 1_000 : Number.NaN);
  });
  if (Number.isNaN(created) || Number.isNaN(expires))
    return "created and expires must be integers.";
  if (created !== undefined && created < now - limits.ageMs)
    return `Its created is older than ${limits.ageMs / minuteMs} minutes.`;
  if (created !== undefined && created > now + limits.aheadMs) return "Its created is yet to come.";
  return expires !== undefined && expires < now ? "It has expired." : null;
}

/** The algorithm is the key's. A signature that names another one does not count. */
async function keyFault(key: AgentKey, { params }: Member): Promise<Refusal | null> {
  const alg = params.get("alg");
  if (!isEs256(key) || (alg && alg.value !== "ecdsa-p256-sha256"))
    return refusal("algorithm_unsupported", "ES256 is the one algorithm that is supported.");

  const isBot = params.get("tag")?.value === "web-bot-auth";
  return isBot && params.get("keyid")?.value !== (await thumbprintOf(key))
    ? invalid("For its tag the keyid must be the thumbprint of the key.")
    : null;
}

/** A key that is no point of the curve verifies nothing. */
async function isTrue(key: AgentKey, signature: Uint8Array, base: string): Promise<boolean> {
  const imported = await importPublic(key).catch(() => null);
  if (!imported) return false;
  return crypto.subtle.verify(
    ecdsa,
    imported,
    new Uint8Array(signature),
    new TextEncoder().encode(base),
  );
}
