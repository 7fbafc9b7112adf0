import { paths } from "../../contract/paths.ts";
import { routes } from "../../contract/routes.ts";
import type { Logger } from "../../domain/logger.ts";
import type { IdempotencyOutcome } from "../../rules/request-log/request-log-entries.ts";
import type { Sent, WebhookPost, WebhookTransport } from "../../webhooks/send/transport.ts";
import { redact } from "../access/redact.ts";
import { probeOf } from "../health/probe-paths.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import type { DeliveryEnd, DeliveryStart, Observer, RequestEnd, RequestStart } from "./observer.ts";

/** Tells the logger and the observer of requests and deliveries. */
export interface Instrumentation {
  /**
   * Call it when a request starts. Call the function that it returns when the
   * answer is ready.
   */
  startRequest(state: RequestState): (reply: WireReply) => void;
  /** Gives a transport that tells of each delivery. */
  wrapTransport(transport: WebhookTransport): WebhookTransport;
}

interface InstrumentationOptions {
  readonly logger: Logger | null;
  readonly observer: Observer | undefined;
  readonly basePath: string;
  /** Gives milliseconds of a clock that never goes back. */
  clock(): number;
  onError(error: unknown, where: string): void;
}

/**
 * Gives null when there is neither a logger nor an observer, so that a request then
 * costs nothing more.
 */
export function createInstrumentation(options: InstrumentationOptions): Instrumentation | null {
  const { logger, observer } = options;
  if (!logger && !observer) return null;

  return {
    startRequest: (state) => startRequest(options, state),
    wrapTransport: (transport) => ({
      check: (url) => transport.check(url),
      send: (post) => sendObserved(options, transport, post),
    }),
  };
}

function startRequest(
  options: InstrumentationOptions,
  state: RequestState,
): (reply: WireReply) => void {
  const { logger, observer, clock } = options;
  const startedAt = clock();
  const start: RequestStart = {
    request_id: state.request_id,
    method: state.request.method,
    target: redact(state.request.target),
  };
  const onEnd = callHost(options, () => observer?.request?.(start));

  return (reply) => {
    const end = requestEnd(options, state, { reply, duration_ms: clock() - startedAt });
    logger?.debug({ ...start, ...end }, "vitrine: request");
    callHost(options, () => onEnd?.(end));
  };
}

function requestEnd(
  { basePath }: InstrumentationOptions,
  state: RequestState,
  { reply, duration_ms }: { reply: WireReply; duration_ms: number },
): RequestEnd {
  const operation = state.match?.operation ?? null;
  const { request, target } = state;
  const path = operation
    ? paths[operation].replace(/^\S+ /, "")
    : probeOf(request.method, target.path);
  return {
    operation,
    route: path && `${basePath}${path}`,
    status: reply.status,
    error_code: state.error_code,
    store_id: state.access?.store.id ?? null,
    livemode: state.livemode,
    idempotency: idempotencyOf(state, reply),
    duration_ms,
  };
}

/** Tells what the Idempotency-Key of a request meant. */
export function idempotencyOf(
  { match, error_code }: RequestState,
  { status, headers }: WireReply,
): IdempotencyOutcome | null {
  if (!match || !("idempotent" in routes[match.operation])) return null;
  if (error_code === "request_in_progress") return "in_progress";
  if (error_code === "idempotency_key_reuse") return "different_body";
  if (status >= 300) return null;
  return "idempotent-replayed" in headers ? "replayed" : "new";
}

async function sendObserved(
  options: InstrumentationOptions,
  transport: WebhookTransport,
  post: WebhookPost,
): ReturnType<WebhookTransport["send"]> {
  const { logger, observer } = options;
  const start = deliveryStart(post);
  const onEnd = callHost(options, () => observer?.delivery?.(start));

  const sent = await transport.send(post);

  // A host's transport may return anything, and the caller of this function checks the result.
  // Only `ok: true` is observed as a delivery.
  const { ok, status = null, error = null, duration_ms = 0 }: Partial<Sent> = Object(sent);
  const delivered = ok === true;
  const end: DeliveryEnd = { delivered, status, error, duration_ms };
  logger?.[delivered ? "debug" : "warn"]({ ...start, ...end }, "vitrine: webhook delivery");
  callHost(options, () => onEnd?.(end));
  return sent;
}

const deliveryStart = ({ url, headers }: WebhookPost): DeliveryStart => ({
  event_id: headers["X-Service-Event-Id"] ?? "",
  event_type: headers["X-Service-Event-Type"] ?? "",
  attempt: Number(headers["X-Service-Attempt"] ?? 1),
  origin: new URL(url).origin,
});

/**
 * Calls the host's observer. An error that it throws is reported and changes
 * nothing else.
 */
function callHost<T>({ onError }: InstrumentationOptions, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    onError(error, "observer");
    return undefined;
  }
}
