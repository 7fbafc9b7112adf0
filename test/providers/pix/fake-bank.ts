import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import type { ClientAuthentication, PixAccount } from "../../../adapters/payments/pix.ts";
import { createAuthority } from "../../support/certificates.ts";
import { cutOff, type FaultChoice, loseAnswer } from "../faults.ts";
import { Outbox } from "../outbox.ts";
import { findRoute, type Route } from "./api.ts";
import { type Books, isPayable, openBooks, receivePix } from "./books.ts";
import { BankFault } from "./call.ts";
import type { PixJudge } from "./judge.ts";

export const callbackSecret = "callback-secret-of-a-test";
const clientSecret = "secret-of-the-client";

export interface FakeBankOptions {
  /** Epoch milliseconds; `Date.now` by default. */
  now?(): number;
  /** Judges what is asked and answered. The demo runs without one. */
  readonly judge?: PixJudge;
  /** Seconds for which a token lasts; an hour by default. */
  readonly tokenSeconds?: number;
  /** How a client shows whose request for a token it is; `basic` by default. */
  readonly clientAuthentication?: ClientAuthentication;
  /** Takes a message as a host's endpoint does, and gives the status of the answer. */
  deliver?(message: { readonly body: string; readonly query: string }): Promise<number>;
}

export interface FakeBank {
  readonly baseUrl: string;
  /** The account of the store whose client id ends in `name`. Each has books of its own. */
  account(name?: string): PixAccount & { readonly clientSecret: string };
  books(name?: string): Books;
  readonly outbox: Outbox;
  /** What the judge found wrong, in requests, answers and messages. */
  readonly complaints: readonly string[];
  /** Every request that ran, e.g. `PUT /cob/{txid}` or `POST /oauth/token`. */
  readonly calls: readonly string[];
  readonly wire: { choose: FaultChoice };
  /** Addresses that were registered for messages, by Pix key. */
  readonly webhooks: ReadonlyMap<string, string>;
  /** How many connections are open. */
  connections(): number;
  /** Makes every token end now. */
  forgetTokens(): void;
  close(): Promise<void>;
}

type Core = ReturnType<typeof createCore>;

/**
 * Starts a bank that answers as API Pix does, over mutual TLS with an authority made now. It keeps
 * its books in memory.
 */
export async function startFakeBank(options: FakeBankOptions = {}): Promise<FakeBank> {
  const authority = createAuthority();
  const { certificate, key } = authority.issue("bank.test");
  const identity = authority.issue("merchant.test");
  const core = createCore(options);

  const tls = { cert: certificate, key, ca: authority.ca, requestCert: true };
  const server = createServer({ ...tls, rejectUnauthorized: false }, (request, response) => {
    receive(core, request, response).catch((error: unknown) => {
      console.error(error);
      cutOff(request);
    });
  });
  // Only the client closes connections, so that a slow test sees when it does.
  server.keepAliveTimeout = 120_000;
  server.on("connection", (socket: Socket) => {
    core.sockets.add(socket);
    socket.once("close", () => core.sockets.delete(socket));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };

  return {
    ...core,
    baseUrl: `https://localhost:${port}/api/v2`,
    account: (name = "one") => ({
      clientId: `client-${name}`,
      clientSecret,
      ...identity,
      ca: authority.ca,
      pixKey: `${name}@shop.example.com`,
      bankAccount: { agencia: "9708", conta: "012682", tipoConta: "CORRENTE" },
    }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** What the bank appends to the address of a message, by what it tells of. */
const addressEnds: Readonly<Record<string, string>> = { recs: "rec", cobsr: "cobr" };

/** The fake without its server. */
function createCore(options: FakeBankOptions) {
  const now = options.now ?? Date.now;
  const complaints: string[] = [];
  const calls: string[] = [];
  const wire: FakeBank["wire"] = { choose: () => null };
  const webhooks = new Map<string, string>();
  const tokens = new Map<string, Token>();
  const all = new Map<string, Books>();

  const outbox = new Outbox(async ({ body }) => {
    const [kind = ""] = Object.keys(JSON.parse(body));
    const query = `?secret=${callbackSecret}/${addressEnds[kind] ?? "pix"}`;
    return (await options.deliver?.({ body, query })) ?? 200;
  });
  const books = (name = "one"): Books => {
    const opened =
      all.get(name) ??
      openBooks({
        now,
        send(told) {
          const message = structuredClone(told);
          complaints.push(...(options.judge?.message(message) ?? []));
          const id = randomBytes(8).toString("hex");
          outbox.add({ id, body: JSON.stringify(message) });
        },
      });
    all.set(name, opened);
    return opened;
  };

  const { judge, tokenSeconds = 3600, clientAuthentication = "basic" } = options;
  const sockets = new Set<Socket>();
  return {
    ...{ now, complaints, calls, wire, webhooks, tokens, outbox, books, sockets },
    ...{ judge, tokenSeconds, clientAuthentication },
    connections: () => sockets.size,
    forgetTokens: () => tokens.clear(),
  };
}

interface Token {
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
  /** Epoch milliseconds. */
  readonly until: number;
}

/** Takes one request off the wire, which may lose it or its answer. */
async function receive(core: Core, request: IncomingMessage, response: ServerResponse) {
  const { method = "GET", url = "/" } = request;
  const body = await textOfBody(request);
  if (!(request.socket as TLSSocket).authorized) return cutOff(request);

  if (url.startsWith("/payer?")) {
    payCode(core, new URL(url, "https://bank").searchParams.get("code"));
    return void response.end();
  }

  const fault = core.wire.choose({ method, path: url });
  if (fault === "lose_request") return cutOff(request);

  const { status, body: answer } = settled(() =>
    url.split("?", 1)[0] === "/oauth/token"
      ? giveToken(core, request, body)
      : answerCall(core, request, body),
  );
  if (typeof fault === "string") {
    const below = [...core.sockets].find((one) => one.remotePort === request.socket.remotePort);
    return loseAnswer(fault, { request, response, socket: below ?? request.socket });
  }
  if (fault !== null) await wait(fault.delay_ms);

  const type = status < 300 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type }).end(JSON.stringify(answer));
}

/** A buyer's bank pays the charge of a code; one that is over is not paid. */
function payCode({ books }: Core, code: string | null): void {
  const charge = [...books().charges.values()].find((one) => code?.includes(one.location));
  if (charge && isPayable(books(), charge)) receivePix(books(), charge);
}

interface Answer {
  readonly status: number;
  readonly body: { readonly [field: string]: unknown };
}

function settled(run: () => Answer): Answer {
  try {
    return run();
  } catch (error) {
    if (error instanceof BankFault) return { status: error.status, body: error.body };
    throw error;
  }
}

/** RFC 6749, section 4.4. */
function giveToken(core: Core, { headers }: IncomingMessage, form: string): Answer {
  core.calls.push("POST /oauth/token");
  const params = new URLSearchParams(form);
  const [client, secret] = credentialsOf(core, headers.authorization, params);
  const name = /^client-(\w+)$/.exec(client)?.[1];
  if (name === undefined || secret !== clientSecret)
    return { status: 401, body: { error: "invalid_client" } };
  if (params.get("grant_type") !== "client_credentials")
    return { status: 400, body: { error: "unsupported_grant_type" } };

  const token = randomBytes(16).toString("hex");
  const scope = params.get("scope") ?? "";
  const until = core.now() + core.tokenSeconds * 1000;
  core.tokens.set(token, { name, scopes: new Set(scope.split(" ")), until });
  const body = { access_token: token, token_type: "Bearer", expires_in: core.tokenSeconds, scope };
  return { status: 200, body };
}

/** The client id and secret, from where the bank wants them and from nowhere else. */
function credentialsOf(
  { clientAuthentication }: Core,
  authorization: string | undefined,
  form: URLSearchParams,
): readonly [client: string, secret: string] {
  const id = form.get("client_id");
  const secret = form.get("client_secret");
  if (clientAuthentication === "basic") {
    if (id !== null || secret !== null) return ["", ""];
    const [, encoded = ""] = (authorization ?? "").split("Basic ");
    const [client = "", given = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    return [client, given];
  }
  if (authorization !== undefined) return ["", ""];
  if (clientAuthentication === "body") return [id ?? "", secret ?? ""];
  // Its certificate proves the client, so a secret is out of place.
  return [id ?? "", secret === null ? clientSecret : ""];
}

function answerCall(
  core: Core,
  { method = "GET", url = "", headers }: IncomingMessage,
  text: string,
) {
  const [, given = ""] = (headers.authorization ?? "").split("Bearer ");
  const token = core.tokens.get(given);
  if (!token || token.until <= core.now())
    throw new BankFault(401, "NaoAutorizado", "O token não é válido.");

  const route = findRoute(method, url.replace("/api/v2", ""));
  if (!route) throw new BankFault(404, "NaoEncontrado", "O recurso não existe.");
  if (!token.scopes.has(route.scope))
    throw new BankFault(403, "AcessoNegado", "O token não tem o escopo.");

  const body = text === "" ? {} : JSON.parse(text);
  const faults = core.judge?.request(route, method === "GET" ? route.query : body) ?? [];
  core.complaints.push(...faults);
  if (faults.length > 0) throw new BankFault(400, "RequisicaoInvalida", faults.join("; "));

  return run(core, { route, name: token.name, body });
}

function run(core: Core, call: { route: Route; name: string; body: Answer["body"] }): Answer {
  const { route, name, body } = call;
  core.calls.push(`${route.method} ${route.path}`);
  if (route.path.startsWith("/webhook"))
    core.webhooks.set(route.ids[0] ?? route.path, String(body["webhookUrl"]));

  const { ids, query } = route;
  const answer = settled(() => route.run({ books: core.books(name), ids, query, body }));
  const shown = JSON.parse(JSON.stringify(answer.body));
  core.complaints.push(...(core.judge?.answer(route, answer.status, shown) ?? []));
  return { ...answer, body: shown };
}

async function textOfBody(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
