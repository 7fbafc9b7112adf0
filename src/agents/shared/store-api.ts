import type { Serve, WireRequest } from "../../http/wire.ts";
import { isRecord } from "./json.ts";

/** One call of the public API, as an agent's tool makes it. */
export interface ApiCall {
  readonly method: "GET" | "POST" | "PATCH";
  /** The path below `basePath`, with its query. */
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** The body of an answer. The contract says which `data` a call gives. */
export type ApiBody<Data> = {
  readonly data: Data;
  readonly livemode: boolean;
  readonly next_cursor?: string | null;
};

/** The answer to a call: what the API gave, or its error. */
export type ApiAnswer<Data> =
  | {
      readonly ok: true;
      readonly body: ApiBody<Data>;
      /** True means that the answer was given before, under the same idempotency key. */
      readonly replayed: boolean;
    }
  | { readonly ok: false; readonly error: ApiFault };

/** An error of the API, as it came: `code`, `message`, `param` and `retry_after_seconds`. */
export type ApiFault = Readonly<Record<string, unknown>>;

/** Calls the public API with the agent's own key and address. */
export type StoreApi = <Data>(call: ApiCall) => Promise<ApiAnswer<Data>>;

/**
 * Calls the API through the same request path as every other client, so that keys, scopes,
 * limits, maintenance and errors are the same for agents.
 */
export function storeApi(
  serve: Serve,
  basePath: string,
  key: string,
  { ip, channel }: Pick<WireRequest, "ip"> & { readonly channel: string },
): StoreApi {
  return async <Data>({ method, path, body, idempotencyKey }: ApiCall) => {
    const headers: Record<string, string | undefined> = {
      authorization: `Bearer ${key}`,
      "content-type": body === undefined ? undefined : "application/json",
      "idempotency-key": idempotencyKey,
    };
    const bytes = new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
    const reply = await serve({
      method,
      target: `${basePath}${path}`,
      ip,
      channel,
      header: (name) => headers[name],
      body: async (limit) => (bytes.length > limit ? null : bytes),
    });
    if (!reply || typeof reply.body !== "string")
      throw new Error(
        `The API does not answer below ${basePath}: is the option basePath its path?`,
      );

    const answer: unknown = JSON.parse(reply.body);
    if (!isRecord(answer)) throw new Error("The API gave no object.");
    if (reply.status < 400) {
      const given = answer as ApiBody<Data>;
      return { ok: true, body: given, replayed: "idempotent-replayed" in reply.headers };
    }

    const { error } = answer;
    const after = reply.headers["retry-after"];
    const wait = after === undefined ? {} : { retry_after_seconds: Number(after) };
    const { code, message, param } = isRecord(error) ? error : {};
    return { ok: false, error: { code, message, param, ...wait } };
  };
}
