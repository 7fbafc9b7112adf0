import { minuteMs } from "#core/domain/durations.ts";
import type { Connection } from "./connection.ts";
import { BankRefusal, readJson } from "./problems.ts";

/**
 * How a client proves its identity when it asks the bank for a token. `basic` and `body` send the
 * client id and secret, as HTTP Basic or in the body (RFC 6749, section 2.3.1). `certificate` sends
 * the id alone, because the certificate of the connection proves it (RFC 8705, section 2.1).
 */
export type ClientAuthentication = "basic" | "body" | "certificate";

export const clientAuthentications: readonly ClientAuthentication[] = [
  "basic",
  "body",
  "certificate",
];

export interface TokenOptions {
  readonly tokenUrl: URL;
  readonly clientAuthentication: ClientAuthentication;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Gives the time in epoch milliseconds. */
  now(): number;
}

export interface Tokens {
  /** Gives a token that lasts longer than a call. Calls at the same time share one request. */
  get(): Promise<string>;
  /** Forgets a token that the bank has refused. */
  forget(token: string): void;
}

/** A token is not used in this last part of its life: it would end on its way. */
const earlyMs = minuteMs;
/**
 * A token lives this long when the bank leaves the lifetime out, as RFC 6749,
 * section 5.1, allows.
 */
const unknownLifetimeSeconds = 300;

/** Keeps the token of one account (RFC 6749, section 4.4: client credentials). */
export function keepTokens(connection: Connection, options: TokenOptions): Tokens {
  let kept: { readonly token: string; readonly until: number } | null = null;
  let running: Promise<string> | null = null;

  const fetchToken = async (): Promise<string> => {
    const asked = options.now();
    const { token, lifetimeMs } = await requestToken(connection, options);
    const early = Math.min(earlyMs, lifetimeMs / 2);
    kept = { token, until: asked + lifetimeMs - early };
    return token;
  };

  return {
    get() {
      if (kept && options.now() < kept.until) return Promise.resolve(kept.token);
      running ??= fetchToken().finally(() => {
        running = null;
      });
      return running;
    },
    forget(token) {
      if (kept?.token === token) kept = null;
    },
  };
}

async function requestToken(connection: Connection, options: TokenOptions) {
  const { tokenUrl, scope, headers } = options;
  const { authorization, fields } = credentials(options);
  const request = {
    method: "POST",
    url: tokenUrl,
    headers: {
      ...headers,
      ...authorization,
      "content-type": "application/x-www-form-urlencoded",
      accept: "application/json",
    },
    body: new URLSearchParams({ grant_type: "client_credentials", ...fields, scope }).toString(),
  };

  // Several calls wait for one token, so none of their signals may end it. It has its own time-out.
  const { status, text } = await connection.send(request, new AbortController().signal);
  const answer = readJson(text) as { access_token?: unknown; expires_in?: unknown } | null;
  if (status === 400 || status === 401 || status === 403)
    throw new BankRefusal("token", { status, problem: answer });
  if (status < 200 || status > 299 || typeof answer?.access_token !== "string")
    throw new Error(`The bank answered ${status} without a token.`);

  const seconds = Number(answer.expires_in ?? unknownLifetimeSeconds);
  const lifetimeMs = (seconds > 0 ? seconds : unknownLifetimeSeconds) * 1000;
  return { token: answer.access_token, lifetimeMs };
}

function credentials({ clientAuthentication, clientId, clientSecret }: TokenOptions): {
  readonly authorization?: { readonly authorization: string };
  readonly fields?: Readonly<Record<string, string>>;
} {
  switch (clientAuthentication) {
    case "basic": {
      const pair = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
      return { authorization: { authorization: `Basic ${pair}` } };
    }
    case "body":
      return { fields: { client_id: clientId, client_secret: clientSecret } };
    case "certificate":
      return { fields: { client_id: clientId } };
  }
}
