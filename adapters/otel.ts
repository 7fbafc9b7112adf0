import {
  type Attributes,
  type Histogram,
  type Meter,
  metrics,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type {
  DeliveryEnd,
  DeliveryStart,
  Observer,
  RequestEnd,
  RequestStart,
} from "../src/http/observer.ts";

/** Which parts of OpenTelemetry the observer uses. */
export interface OtelOptions {
  /** The tracer of the globally registered provider by default. */
  readonly tracer?: Tracer;
  /** The meter of the globally registered provider by default. */
  readonly meter?: Meter;
}

const scope = "vitrine";
/** The histogram boundaries that the HTTP conventions name, in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** The conventions record any other method as `_OTHER`. */
const methods = new Set([
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "CONNECT",
  "OPTIONS",
  "TRACE",
  "PATCH",
  "QUERY",
]);

/**
 * Records spans and durations of requests and webhook deliveries by OpenTelemetry's
 * HTTP conventions. Pass it as `createStorefront({ observer: otelObserver() })`,
 * after your SDK has started.
 */
export function otelObserver({
  tracer = trace.getTracer(scope),
  meter = metrics.getMeter(scope),
}: OtelOptions = {}): Observer {
  const advice = { explicitBucketBoundaries: boundaries };
  const served = meter.createHistogram("http.server.request.duration", { unit: "s", advice });
  const sent = meter.createHistogram("http.client.request.duration", { unit: "s", advice });

  return {
    request: (start) => observeRequest(start, { tracer, histogram: served }),
    delivery: (start) => observeDelivery(start, { tracer, histogram: sent }),
  };
}

interface Instruments {
  readonly tracer: Tracer;
  readonly histogram: Histogram;
}

function observeRequest(
  start: RequestStart,
  { tracer, histogram }: Instruments,
): (end: RequestEnd) => void {
  // Within a span of the host's own HTTP instrumentation the request is a part of that one.
  const kind = trace.getActiveSpan() ? SpanKind.INTERNAL : SpanKind.SERVER;
  const name = nameOf(start);
  const span = tracer.startSpan(name, { kind, attributes: requestAttributes(start) });

  return (end) => {
    const outcome = outcomeAttributes(end);
    span.updateName(end.route === null ? name : `${name} ${end.route}`);
    span.setAttributes({ ...outcome, ...detailAttributes(end) });
    if (end.status >= 500) markFailed(span);
    span.end();

    const method = { "http.request.method": methodOf(start) };
    histogram.record(end.duration_ms / 1000, { ...method, ...outcome });
  };
}

function observeDelivery(
  start: DeliveryStart,
  { tracer, histogram }: Instruments,
): (end: DeliveryEnd) => void {
  const attributes = { "http.request.method": "POST", ...deliveryAddress(start) };
  const resends = start.attempt > 1 ? { "http.request.resend_count": start.attempt - 1 } : {};
  const span = tracer.startSpan("POST", {
    kind: SpanKind.CLIENT,
    attributes: {
      ...attributes,
      ...resends,
      "url.full": start.origin,
      "vitrine.event.id": start.event_id,
      "vitrine.event.type": start.event_type,
    },
  });

  return (end) => {
    const outcome = deliveryOutcome(end);
    span.setAttributes(outcome);
    if (!end.delivered) markFailed(span);
    span.end();

    histogram.record(end.duration_ms / 1000, { ...attributes, ...outcome });
  };
}

const markFailed = (span: Span): void => void span.setStatus({ code: SpanStatusCode.ERROR });

const methodOf = ({ method }: RequestStart): string => (methods.has(method) ? method : "_OTHER");
const nameOf = (start: RequestStart): string => (methods.has(start.method) ? start.method : "HTTP");

function requestAttributes(start: RequestStart): Attributes {
  const [path = "", query] = start.target.split(/\?(.*)/s);
  return {
    "http.request.method": methodOf(start),
    "url.path": path,
    ...(query ? { "url.query": query } : {}),
    "vitrine.request.id": start.request_id,
  };
}

/** Attributes of the metric too: each of them has few different values. */
const outcomeAttributes = ({ route, status, error_code }: RequestEnd): Attributes => ({
  ...(route === null ? {} : { "http.route": route }),
  "http.response.status_code": status,
  ...(status >= 500 ? { "error.type": error_code ?? String(status) } : {}),
});

/** Attributes of the span alone. */
const detailAttributes = ({
  operation,
  store_id,
  livemode,
  error_code,
}: RequestEnd): Attributes => ({
  ...(operation === null ? {} : { "vitrine.operation": operation }),
  ...(store_id === null ? {} : { "vitrine.store.id": store_id }),
  ...(error_code === null ? {} : { "vitrine.error.code": error_code }),
  "vitrine.livemode": livemode,
});

function deliveryAddress({ origin }: DeliveryStart): Attributes {
  const url = new URL(origin);
  return {
    "server.address": url.hostname,
    "server.port": Number(url.port || (url.protocol === "http:" ? 80 : 443)),
  };
}

const deliveryOutcome = ({ status, error }: DeliveryEnd): Attributes => ({
  ...(status === null ? {} : { "http.response.status_code": status }),
  ...(error === null ? {} : { "error.type": error === "http_status" ? String(status) : error }),
});
