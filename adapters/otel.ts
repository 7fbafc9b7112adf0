import {
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  metrics,
  type ObservableGauge,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { boundariesOfRequests } from "#core/http/metrics/boundaries.ts";
import { type Recorder, recordingObserver } from "#core/http/metrics/recording-observer.ts";
import { type MetricName, metricRows } from "#core/http/metrics/table.ts";
import type {
  DeliveryEnd,
  DeliveryStart,
  Observer,
  ReadGauges,
  RequestEnd,
  RequestStart,
} from "#core/http/observe/observer.ts";
import { refuseUnknownNames } from "./unknown-options.ts";

export type {
  CacheLookup,
  DeliveryEnd,
  DeliveryStart,
  GaugeValue,
  Observer,
  ReadGauges,
  RequestEnd,
  RequestStart,
  StorageCall,
} from "#core/http/observe/observer.ts";

/** The options of `otelObserver`. */
export interface OtelOptions {
  /** The tracer of the globally registered provider by default. */
  readonly tracer?: Tracer | undefined;
  /** The meter of the globally registered provider by default. */
  readonly meter?: Meter | undefined;
  /** `store` adds the store's id to the counters. Leave it off when there are many stores. */
  readonly labels?: { readonly store?: boolean | undefined } | undefined;
}

const scope = "vitrine";
/** These methods keep their names: the conventions record any other method as `_OTHER`. */
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
 * HTTP conventions, and the metrics of docs/observability. Pass it as
 * `createStorefront({ observer: otelObserver() })`, after your SDK has started.
 */
export function otelObserver(options: OtelOptions = {}): Observer {
  const { tracer = trace.getTracer(scope), meter = metrics.getMeter(scope), labels = {} } = options;
  refuseUnknownNames(options, ["tracer", "meter", "labels"]);
  refuseUnknownNames(labels, ["store"], "labels.");
  const advice = { explicitBucketBoundaries: [...boundariesOfRequests] };
  const served = meter.createHistogram("http.server.request.duration", { unit: "s", advice });
  const sent = meter.createHistogram("http.client.request.duration", { unit: "s", advice });

  const { request, delivery, ...counted } = recordingObserver(recorderOf(meter), labels);
  return {
    ...counted,
    request(start) {
      const ends = [request?.(start), observeRequest(start, { tracer, histogram: served })];
      return (end) => {
        for (const onEnd of ends) onEnd?.(end);
      };
    },
    delivery(start) {
      const ends = [delivery?.(start), observeDelivery(start, { tracer, histogram: sent })];
      return (end) => {
        for (const onEnd of ends) onEnd?.(end);
      };
    },
    gauges: (read) => observeGauges(meter, read),
  };
}

/** Records the metrics that the HTTP conventions have no name for. */
function recorderOf(meter: Meter): Recorder {
  const counters = new Map<MetricName, Counter>();
  const histograms = new Map<MetricName, Histogram>();
  for (const [metric, { otel, type, help, boundaries = [] }] of metricRows) {
    if (otel === null) continue;
    const about = { description: help, unit: type === "histogram" ? "s" : "1" };
    if (type === "counter") counters.set(metric, meter.createCounter(otel, about));
    if (type !== "histogram") continue;
    const advice = { explicitBucketBoundaries: [...boundaries] };
    histograms.set(metric, meter.createHistogram(otel, { ...about, advice }));
  }

  return {
    add: (metric, attributes, amount = 1) => counters.get(metric)?.add(amount, attributes),
    observe: (metric, attributes, seconds) => histograms.get(metric)?.record(seconds, attributes),
  };
}

/** Registers the gauges. The SDK reads them at each export; a result is kept for 15 seconds. */
function observeGauges(meter: Meter, read: ReadGauges): void {
  const gauges = new Map<string, ObservableGauge>();
  for (const [metric, { otel, type, help, name }] of metricRows) {
    if (type !== "gauge" || otel === null) continue;
    const unit = name.endsWith("_seconds") ? "s" : "1";
    gauges.set(metric, meter.createObservableGauge(otel, { description: help, unit }));
  }

  meter.addBatchObservableCallback(
    async (result) => {
      for (const { metric, labels, value } of await read()) {
        const gauge = gauges.get(metric);
        if (gauge) result.observe(gauge, value, labels);
      }
    },
    [...gauges.values()],
  );
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

/** Gives the attributes of the metric and of the span: each of them has few different values. */
const outcomeAttributes = ({ route, status, error_code }: RequestEnd): Attributes => ({
  ...(route === null ? {} : { "http.route": route }),
  "http.response.status_code": status,
  ...(status >= 500 ? { "error.type": error_code ?? String(status) } : {}),
});

/** Gives the attributes of the span alone. */
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
