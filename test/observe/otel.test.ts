import {
  type Attributes,
  type BatchObservableCallback,
  type BatchObservableResult,
  type Context,
  type ContextManager,
  type Counter,
  context,
  type Histogram,
  type Meter,
  type ObservableGauge,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { otelObserver } from "vitrine/otel";
import { createShop } from "../support/shop.ts";

interface Recorded {
  name: string;
  readonly kind: SpanKind | undefined;
  readonly attributes: Attributes;
  status: SpanStatusCode;
  ended: boolean;
}

/** What an SDK would export, kept. */
function collector() {
  const spans: Recorded[] = [];
  const points: { name: string; value: number; attributes: Attributes | undefined }[] = [];
  const tracer: Pick<Tracer, "startSpan"> = {
    startSpan(name: string, { kind, attributes = {} }: SpanOptions = {}) {
      const recorded: Recorded = {
        name,
        kind,
        attributes: { ...attributes },
        status: SpanStatusCode.UNSET,
        ended: false,
      };
      spans.push(recorded);
      const span: Pick<Span, "updateName" | "setAttributes" | "setStatus" | "end"> = {
        updateName: (next) => {
          recorded.name = next;
          return span as Span;
        },
        setAttributes: (more) => {
          Object.assign(recorded.attributes, more);
          return span as Span;
        },
        setStatus: ({ code }) => {
          recorded.status = code;
          return span as Span;
        },
        end: () => {
          recorded.ended = true;
        },
      };
      return span as Span;
    },
  };
  const counted: typeof points = [];
  const isByConvention = (name: string): boolean => name.startsWith("http.");
  const observers: BatchObservableCallback[] = [];
  const meter: Pick<
    Meter,
    "createHistogram" | "createCounter" | "createObservableGauge" | "addBatchObservableCallback"
  > = {
    createHistogram: (name) =>
      ({
        record: (value, attributes) =>
          void (isByConvention(name) ? points : counted).push({ name, value, attributes }),
      }) as Histogram,
    createCounter: (name) =>
      ({ add: (value, attributes) => void counted.push({ name, value, attributes }) }) as Counter,
    createObservableGauge: (name) => ({ name }) as unknown as ObservableGauge,
    addBatchObservableCallback: (callback) => void observers.push(callback),
  };
  /** Asks for the gauges, as an SDK does before it exports. */
  const observe = async (): Promise<typeof points> => {
    const observed: typeof points = [];
    const result: BatchObservableResult = {
      observe: (gauge, value, attributes) =>
        void observed.push({ ...(gauge as unknown as { name: string }), value, attributes }),
    };
    for (const callback of observers) await callback(result);
    return observed;
  };
  const options = { tracer: tracer as Tracer, meter: meter as Meter };
  return { spans, points, counted, observe, options };
}

test("counters and gauges have the names of the table, and no label names a store", async () => {
  const { counted, observe, options } = collector();
  const shop = await createShop(memoryStorage(), { observer: otelObserver(options) });
  await shop.buy();

  const sums = new Map<string, number>();
  for (const { name, value, attributes } of counted) {
    expect(JSON.stringify(attributes)).not.toContain(shop.a.id);
    const outcome = attributes?.["outcome"] ?? "";
    if (name !== "vitrine.storage.call.duration")
      sums.set(`${name} ${outcome}`, (sums.get(`${name} ${outcome}`) ?? 0) + value);
  }
  expect(Object.fromEntries(sums)).toMatchObject({
    "vitrine.sessions created": 1,
    "vitrine.sessions paid": 1,
    "vitrine.payments paid": 1,
    "vitrine.idempotency new": 1,
  });
  const calls = counted.filter(({ name }) => name === "vitrine.storage.call.duration");
  expect(calls.map(({ attributes }) => attributes?.["call"])).toContain("checkout.createSession");
  const gauges = await observe();
  expect(gauges).toContainEqual({ name: "vitrine.storage.up", value: 1, attributes: {} });
  expect(gauges).toContainEqual({ name: "vitrine.webhooks.due", value: 0, attributes: {} });
});

test("a request is a SERVER span and a duration, and its key is hidden", async () => {
  const { spans, points, options } = collector();
  const shop = await createShop(memoryStorage(), { observer: otelObserver(options) });
  await shop.get(`/products?limit=5&key=${shop.a.test.pub}`, { key: shop.a.test.pub });
  expect(spans).toEqual([
    {
      name: "GET /v1/products",
      kind: SpanKind.SERVER,
      status: SpanStatusCode.UNSET,
      ended: true,
      attributes: {
        "http.request.method": "GET",
        "url.path": "/v1/products",
        "url.query": "limit=5&key=[redacted]",
        "http.route": "/v1/products",
        "http.response.status_code": 200,
        "vitrine.request.id": expect.stringMatching(/^req_/),
        "vitrine.operation": "listProducts",
        "vitrine.store.id": shop.a.id,
        "vitrine.livemode": false,
      },
    },
  ]);
  expect(points).toMatchObject([
    {
      name: "http.server.request.duration",
      attributes: {
        "http.request.method": "GET",
        "http.route": "/v1/products",
        "http.response.status_code": 200,
      },
    },
  ]);
  expect(points[0]?.value).toBeLessThan(60);
});

test("only a server's error marks the span as failed; an unknown method is _OTHER", async () => {
  const { spans, options } = collector();
  const shop = await createShop(memoryStorage(), { observer: otelObserver(options) });
  await shop.call("PURGE", "/store", { key: shop.a.test.pub });
  Object.assign(shop.storage.access, { findAccess: () => Promise.reject(new Error("down")) });
  await shop.get("/store", { key: shop.a.test.pub });
  expect(spans.map(({ name, status }) => [name, status])).toEqual([
    ["HTTP", SpanStatusCode.UNSET],
    ["GET", SpanStatusCode.ERROR],
  ]);
  expect(spans[0]?.attributes).toMatchObject({
    "http.request.method": "_OTHER",
    "vitrine.error.code": "method_not_allowed",
  });
  expect(spans[1]?.attributes).toMatchObject({
    "error.type": "internal_error",
    "http.response.status_code": 500,
  });
});

test("a delivery is a CLIENT span with its attempt and its error", async () => {
  const { spans, points, options } = collector();
  const shop = await createShop(memoryStorage(), { observer: otelObserver(options) });
  await shop.owner.endpoints.create({
    store_id: shop.a.id,
    livemode: false,
    url: "https://hooks.example.com/x",
    event_types: ["order.paid"],
  });
  await shop.buy();
  spans.length = 0;
  points.length = 0;
  shop.receiver.answer = () => ({ ok: false, status: null, error: "timeout" });
  await shop.storefront.drainWebhooks();
  shop.advance(61_000);
  shop.receiver.answer = () => ({});
  await shop.storefront.drainWebhooks();
  expect(spans).toMatchObject([
    {
      name: "POST",
      kind: SpanKind.CLIENT,
      status: SpanStatusCode.ERROR,
      attributes: {
        "server.address": "hooks.example.com",
        "server.port": 443,
        "error.type": "timeout",
        "vitrine.event.type": "order.paid",
      },
    },
    {
      status: SpanStatusCode.UNSET,
      attributes: { "http.request.resend_count": 1, "http.response.status_code": 200 },
    },
  ]);
  expect(points.map(({ name }) => name)).toEqual([
    "http.client.request.duration",
    "http.client.request.duration",
  ]);
});

test("within a span of the host's own instrumentation a request is an INTERNAL span", async () => {
  const { spans, options } = collector();
  const shop = await createShop(memoryStorage(), { observer: otelObserver(options) });
  const active = trace.setSpan(
    ROOT_CONTEXT,
    trace.wrapSpanContext({ traceId: "1".repeat(32), spanId: "2".repeat(16), traceFlags: 1 }),
  );
  const manager: ContextManager = {
    active: () => active,
    with: (_context: Context, run, self, ...args) => run.apply(self as never, args),
    bind: (_context, target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager);
  try {
    await shop.get("/store", { key: shop.a.test.pub });
  } finally {
    context.disable();
  }
  expect(spans[0]?.kind).toBe(SpanKind.INTERNAL);
});
