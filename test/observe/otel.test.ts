import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  type Histogram,
  type Meter,
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
  const meter: Pick<Meter, "createHistogram"> = {
    createHistogram: (name) =>
      ({
        record: (value, attributes) => void points.push({ name, value, attributes }),
      }) as Histogram,
  };
  return { spans, points, options: { tracer: tracer as Tracer, meter: meter as Meter } };
}

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
