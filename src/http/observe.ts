import type { PublicErrorCode } from "../contract/errors.ts";
import { type Operation, paths } from "../contract/paths.ts";
import type { Logger } from "../domain/logger.ts";
import type { SendErrorClass, Sent, WebhookPost, WebhookTransport } from "../webhooks/transport.ts";
import type { Call } from "./call.ts";
import type { WireReply } from "./wire.ts";

export interface RequestStart {
  readonly request_id: string;
  readonly method: string;
  /** Path and query as they were sent; keys are redacted. */
  readonly target: string;
}

export interface RequestEnd {
  /** Null when the request ended before its route was known, or has none. */
  readonly operation: Operation | null;
  /** Template of the path, base path included: `/v1/products/{id_or_slug}`. */
  readonly route: string | null;
  readonly status: number;
  readonly error_code: PublicErrorCode | null;
  /** Null until the key was accepted. */
  readonly store_id: string | null;
  readonly livemode: boolean;
  readonly duration_ms: number;
}

export interface DeliveryStart {
  readonly event_id: string;
  readonly event_type: string;
  /** Counts from 1. */
  readonly attempt: number;
  /** Scheme, host and port: some receivers keep a secret in the path. */
  readonly origin: string;
}

export interface DeliveryEnd {
  readonly delivered: boolean;
  readonly status: number | null;
  readonly error: SendErrorClass | null;
  readonly duration_ms: number;
}

/** Hears of requests and deliveries. Nothing it is given holds a key, a token or a secret; what it throws is reported to `onError` alone. */
export interface Observer {
  /** Called when a request comes in; what it returns is called when the answer is ready. */
  request?(start: RequestStart): ((end: RequestEnd) => void) | undefined;
  /** Called when an attempt to deliver a webhook starts; what it returns is called with its outcome. */
  delivery?(start: DeliveryStart): ((end: DeliveryEnd) => void) | undefined;
}

export interface Observation {
  request(call: Call): (reply: WireReply) => void;
  transport(transport: WebhookTransport): WebhookTransport;
}

interface ObservationOptions {
  readonly logger: Logger | null;
  readonly observer: Observer | undefined;
  readonly basePath: string;
  /** Milliseconds that only go forward. */
  clock(): number;
  onError(error: unknown, where: string): void;
}

/** Null when nobody listens: a request then pays nothing. */
export function createObservation({
  logger,
  observer,
  basePath,
  clock,
  onError,
}: ObservationOptions): Observation | null {
  if (!logger && !observer) return null;
  const guard = <T>(call: () => T): T | undefined => {
    try {
      return call();
    } catch (error) {
      onError(error, "observer");
      return undefined;
    }
  };

  return {
    request(call) {
      const started = clock();
      const start: RequestStart = {
        request_id: call.request_id,
        method: call.request.method,
        target: redact(call.request.target),
      };
      const ended = guard(() => observer?.request?.(start));
      return (reply) => {
        const operation = call.match?.operation ?? null;
        const end: RequestEnd = {
          operation,
          route: operation && `${basePath}${paths[operation].replace(/^\S+ /, "")}`,
          status: reply.status,
          error_code: call.error_code,
          store_id: call.access?.store.id ?? null,
          livemode: call.livemode,
          duration_ms: clock() - started,
        };
        logger?.debug({ ...start, ...end }, "vitrine: request");
        guard(() => ended?.(end));
      };
    },
    transport: (transport) => ({
      check: (url) => transport.check(url),
      async send(post) {
        const start = deliveryOf(post);
        const ended = guard(() => observer?.delivery?.(start));
        const sent = await transport.send(post);
        const { ok: delivered, status, error, duration_ms }: Sent = sent;
        const end: DeliveryEnd = { delivered, status, error, duration_ms };
        logger?.[delivered ? "debug" : "warn"]({ ...start, ...end }, "vitrine: webhook delivery");
        guard(() => ended?.(end));
        return sent;
      },
    }),
  };
}

function deliveryOf({ url, headers }: WebhookPost): DeliveryStart {
  return {
    event_id: headers["X-Service-Event-Id"] ?? "",
    event_type: headers["X-Service-Event-Type"] ?? "",
    attempt: Number(headers["X-Service-Attempt"] ?? 1),
    origin: new URL(url).origin,
  };
}

const hidden = "[redacted]";

/** Hides the value of `key`, however its name is escaped, and whatever looks like a key or secret of ours. */
export function redact(target: string): string {
  const mark = target.indexOf("?");
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? [] : target.slice(mark + 1).split("&");
  const shown = query.map((pair) => {
    const name = pair.split("=", 1)[0] ?? "";
    return unescaped(name).toLowerCase() === "key" ? `${name}=${hidden}` : pair;
  });
  return [path, ...(mark < 0 ? [] : [shown.join("&")])]
    .join("?")
    .replace(/(hk_(live|test)_|whsec_)[0-9A-Za-z_%]*/gi, hidden);
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).trim();
  } catch {
    return "key"; // what cannot be read is not shown
  }
}
