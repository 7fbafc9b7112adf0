import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import Stripe from "stripe";
import { cutOff, type FaultChoice, loseAnswer } from "../faults.ts";
import { Outbox } from "../outbox.ts";
import { type Answer, answerCall, findRoute, type Route } from "./api.ts";
import { type Books, type FakeEvent, newId, openBooks } from "./books.ts";
import { answerElement } from "./element.ts";
import { invalidRequest, StripeFault } from "./fault.ts";
import { decodeForm, type Form } from "./form.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import type { StripeJudge } from "./judge.ts";
import { answerPage, type PageReply } from "./pages.ts";
import { sweep } from "./sessions.ts";

export const secretKey = "sk_test_fake";
export const webhookSecret = "whsec_fake";

export interface FakeStripeOptions {
  /** Epoch milliseconds; `Date.now` by default. */
  now?(): number;
  /** Judges what is asked and answered. The demo runs without one. */
  readonly judge?: StripeJudge;
  /** Where the hosted pages are shown; the fake shows them itself by default. */
  readonly pageOrigin?: string;
  /** Takes a message as a host's endpoint does, and gives the status of the answer. */
  deliver?(message: { readonly body: string; readonly signature: string }): Promise<number>;
}

export interface FakeStripe {
  readonly port: number;
  /** The real client, pointed at the fake. */
  readonly client: Stripe;
  readonly outbox: Outbox;
  /** What the judge found wrong, in requests and in the fake's own answers. */
  readonly complaints: readonly string[];
  /** Every request that ran, e.g. `POST /v1/refunds`. */
  readonly calls: readonly string[];
  /** How the wire treats requests, and how long a request runs. */
  readonly wire: { choose: FaultChoice; work_ms: number };
  /** The paths that the key has no right to, as Stripe's document begins them. */
  readonly forbidden: Set<string>;
  /** The books of the platform, or of a connected account. */
  books(account?: string): Books;
  page(request: Parameters<typeof answerPage>[1]): PageReply | null;
  /** Answers what a page with the Payment Element asks for. */
  element(request: Parameters<typeof answerElement>[1]): PageReply | null;
  close(): Promise<void>;
}

/** The client that a host makes, with the three options that lead it to the fake. */
export const clientOf = (port: number, key = secretKey): Stripe =>
  new Stripe(key, { host: "127.0.0.1", port, protocol: "http", telemetry: false });

/**
 * Starts a server that answers as Stripe's API does, for the operations that the gateway uses. It
 * keeps its books in memory.
 */
export async function startFakeStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  let port = 0;
  const pageOrigin = () => options.pageOrigin ?? `http://127.0.0.1:${port}`;
  const core = createCore(options, pageOrigin);

  const server = createServer((request, response) => void receive(core, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  port = typeof address === "object" && address !== null ? address.port : 0;

  return {
    ...core,
    port,
    client: clientOf(port),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type Core = ReturnType<typeof createCore>;

/** The fake without its server. */
function createCore(options: FakeStripeOptions, pageOrigin: () => string) {
  const now = () => Math.floor((options.now?.() ?? Date.now()) / 1000);
  const complaints: string[] = [];
  const calls: string[] = [];
  const wire: FakeStripe["wire"] = { choose: () => null, work_ms: 0 };
  const forbidden = new Set<string>();
  const accounts = new Map<string, Books>();
  const keys = new IdempotencyKeys();

  const outbox = new Outbox(async ({ body }) => {
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload: body,
      secret: webhookSecret,
    });
    return (await options.deliver?.({ body, signature })) ?? 200;
  });
  const tell = (event: FakeEvent): void => {
    complaints.push(...(options.judge?.event(event) ?? []));
    outbox.add({ id: event.id, body: JSON.stringify(event) });
  };

  const books = (account = ""): Books => {
    const opened =
      accounts.get(account) ??
      openBooks({ account: account === "" ? null : account, now, pageOrigin, tell });
    accounts.set(account, opened);
    sweep(opened);
    return opened;
  };
  const page: FakeStripe["page"] = (request) =>
    answerPage((id) => {
      const all = [...accounts.keys()].map((account) => books(account));
      return all.find(({ sessions }) => sessions.has(id)) ?? null;
    }, request);

  const element: FakeStripe["element"] = (request) => answerElement(books, request);
  const judge = options.judge ?? null;

  return { judge, now, complaints, calls, wire, forbidden, keys, outbox, books, page, element };
}

/** Answers one call. The key's first request runs, and later ones get its answer. */
async function answer(core: Core, call: ReceivedCall): Promise<Answer> {
  const { route, params, key, account } = call;
  const faults = core.judge?.request(route, params) ?? [];
  core.complaints.push(...faults);
  if (faults.length > 0) throw invalidRequest(faults.join("; "), { code: "parameter_unknown" });

  const scoped = key === null ? null : `${account ?? ""}|${key}`;
  const fingerprint = `${route.method} ${route.path} ${route.id} ${JSON.stringify(params)}`;
  const known = scoped === null ? null : core.keys.begin(scoped, fingerprint, core.now());
  if (known) return known;

  core.calls.push(`${route.method} ${route.path}`);
  if ([...core.forbidden].some((path) => route.path.startsWith(path)))
    throw new StripeFault(403, {
      type: "invalid_request_error",
      message: "The provided key does not have the required permissions for this endpoint.",
    });
  if (core.wire.work_ms > 0) await wait(core.wire.work_ms);
  const made = settled(() => answerCall(route, { ...call, books: core.books(account ?? "") }));
  if (scoped !== null) core.keys.end(scoped, made);
  return made;
}

/** Takes one request off the wire, which may lose it or its answer. */
async function receive(
  core: Core,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await textOfBody(request);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://fake");
  const method = request.method ?? "GET";
  const asked = { method, path: pathname, form: new URLSearchParams(body) };
  const shown = core.element({ ...asked, query: searchParams }) ?? core.page(asked);
  if (shown) return void response.writeHead(shown.status, shown.headers).end(shown.body);

  const fault = core.wire.choose({ method, path: pathname });
  if (fault === "lose_request") return cutOff(request);

  const made = await settledLater(async () => {
    const call = readCall(request, method === "GET" ? searchParams.toString() : body, pathname);
    const given = await answer(core, call);
    core.complaints.push(...(core.judge?.answer(call.route, given.status, given.body) ?? []));
    return given;
  });
  if (typeof fault === "string")
    return loseAnswer(fault, { request, response, socket: request.socket });
  if (fault !== null) await wait(fault.delay_ms);

  const headers = { "content-type": "application/json", "request-id": newId("req") };
  response.writeHead(made.status, headers).end(JSON.stringify(made.body));
}

interface ReceivedCall {
  readonly route: Route;
  readonly params: Form;
  readonly key: string | null;
  readonly account: string | null;
  readonly version: string;
}

function readCall({ method, headers }: IncomingMessage, form: string, path: string): ReceivedCall {
  if (headers.authorization !== `Bearer ${secretKey}`)
    throw new StripeFault(401, {
      type: "invalid_request_error",
      message: "Invalid API Key provided.",
    });
  const route = findRoute(method ?? "GET", path);
  if (!route)
    throw new StripeFault(404, {
      type: "invalid_request_error",
      message: `Unrecognized request URL (${method}: ${path}).`,
    });

  const textHeader = (name: string): string | null => headers[name]?.toString() ?? null;
  return {
    route,
    params: decodeForm(form),
    key: method === "POST" ? textHeader("idempotency-key") : null,
    account: textHeader("stripe-account"),
    version: textHeader("stripe-version") ?? "",
  };
}

/** Gives the answer of an error of Stripe; any other error is a fault of the fake. */
function answerOf(error: unknown): Answer {
  if (error instanceof StripeFault) return { status: error.status, body: error.body };
  console.error(error);
  return { status: 500, body: { error: { type: "api_error", message: String(error) } } };
}

function settled(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    return answerOf(error);
  }
}

const settledLater = (run: () => Promise<Answer>): Promise<Answer> => run().catch(answerOf);

async function textOfBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
