import {
  type Attributes,
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

export interface OtelOptions {
  /** The globally registered one by default. */
  readonly tracer?: Tracer;
  /** The globally registered one by default. */
  readonly meter?: Meter;
}

const scope = "vitrine";
/** The conventions' own boundaries, in seconds. */
const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
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
 * Spans and durations of requests and webhook deliveries by OpenTelemetry's HTTP conventions:
 * `createStorefront({ observer: otelObserver() })`, after your SDK has started.
 */
export function otelObserver({
  tracer = trace.getTracer(scope),
  meter = metrics.getMeter(scope),
}: OtelOptions = {}): Observer {
  const advice = { explicitBucketBoundaries: boundaries };
  const served = meter.createHistogram("http.server.request.duration", { unit: "s", advice });
  const sent = meter.createHistogram("http.client.request.duration", { unit: "s", advice });

  return {
    request(start) {
      // Below the span of the host's own HTTP instrumentation it is a part of that request, not another one.
      const kind = trace.getActiveSpan() ? SpanKind.INTERNAL : SpanKind.SERVER;
      const span = tracer.startSpan(nameOf(start), { kind, attributes: requestAttributes(start) });
      return (end) => {
        const measured = outcomeAttributes(end);
        span.updateName(end.route === null ? nameOf(start) : `${nameOf(start)} ${end.route}`);
        span.setAttributes({ ...measured, ...detailAttributes(end) });
        if (end.status >= 500) fault(span);
        span.end();
        served.record(end.duration_ms / 1000, {
          "http.request.method": methodOf(start),
          ...measured,
        });
      };
    },
    delivery(start) {
      const address = deliveryAddress(start);
      const attributes = { "http.request.method": "POST", ...address };
      const span = tracer.startSpan("POST", {
        kind: SpanKind.CLIENT,
        attributes: {
          ...attributes,
          "url.full": start.origin,
          ...(start.attempt > 1 ? { "http.request.resend_count": start.attempt - 1 } : {}),
          "vitrine.event.id": start.event_id,
          "vitrine.event.type": start.event_type,
        },
      });
      return (end) => {
        const outcome = deliveryOutcome(end);
        span.setAttributes(outcome);
        if (!end.delivered) fault(span);
        span.end();
        sent.record(end.duration_ms / 1000, { ...attributes, ...outcome });
      };
    },
  };
}

const fault = (span: Span): void => void span.setStatus({ code: SpanStatusCode.ERROR });
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

/** Few values each: what a metric may carry. */
const outcomeAttributes = ({ route, status, error_code }: RequestEnd): Attributes => ({
  ...(route === null ? {} : { "http.route": route }),
  "http.response.status_code": status,
  ...(status >= 500 ? { "error.type": error_code ?? String(status) } : {}),
});

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
