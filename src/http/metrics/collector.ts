import { alertTypes } from "../../rules/alert-types.ts";
import type { Observer, RequestEnd, RequestStart } from "../observer.ts";
import { createCounter, createHistogram } from "./samples.ts";
import type { Metric } from "./text.ts";

export interface Collector {
  readonly observer: Observer;
  metrics(): readonly Metric[];
}

const methods = new Set(["GET", "HEAD", "POST", "OPTIONS"]);

/** Sums what this process does, from its start. */
export function createCollector({ store }: { readonly store: boolean }): Collector {
  const requests = createCounter();
  const requestTimes = createHistogram();
  const idempotency = createCounter();
  const limited = createCounter();
  const attempts = createCounter([{ outcome: "delivered" }]);
  const attemptTimes = createHistogram();
  const alerts = createCounter(store ? [] : alertTypes.map((type) => ({ type })));

  const storeLabel = (store_id: string | null): Readonly<Record<string, string>> =>
    store ? { store_id: store_id ?? "" } : {};

  const countRequest = ({ method }: RequestStart, end: RequestEnd): void => {
    const { route, status, error_code, store_id, duration_ms } = end;
    const named = {
      method: methods.has(method) ? method : "other",
      route: route ?? "none",
      ...storeLabel(store_id),
    };
    requests.add({ ...named, status: String(status), code: error_code ?? "" });
    requestTimes.observe({ route: named.route }, duration_ms / 1000);
    if (end.idempotency) idempotency.add({ outcome: end.idempotency, ...storeLabel(store_id) });
    if (error_code === "rate_limit_exceeded")
      limited.add({ route: named.route, ...storeLabel(store_id) });
  };

  return {
    observer: {
      request: (start) => (end) => countRequest(start, end),
      delivery: () => (end) => {
        attempts.add({ outcome: end.error ?? "delivered" });
        attemptTimes.observe({}, end.duration_ms / 1000);
      },
      alert: ({ type, store_id }) => alerts.add({ type, ...storeLabel(store_id) }),
    },
    metrics: () => [
      counter("vitrine_requests_total", "Requests answered.", requests.samples()),
      histogram("vitrine_request_duration_seconds", "Time until the answer.", requestTimes),
      counter(
        "vitrine_idempotency_total",
        "Requests with an Idempotency-Key, by what the key meant.",
        idempotency.samples(),
      ),
      counter("vitrine_limited_total", "Requests over a rate limit.", limited.samples()),
      counter(
        "vitrine_webhook_attempts_total",
        "Attempts to deliver a webhook, by outcome.",
        attempts.samples(),
      ),
      histogram("vitrine_webhook_attempt_duration_seconds", "Time of an attempt.", attemptTimes),
      counter("vitrine_alerts_total", "Alerts told to the host, by type.", alerts.samples()),
    ],
  };
}

const counter = (name: string, help: string, samples: Metric["samples"][""]): Metric => ({
  name,
  help,
  type: "counter",
  samples: { "": samples },
});

const histogram = (
  name: string,
  help: string,
  times: ReturnType<typeof createHistogram>,
): Metric => ({ name, help, type: "histogram", samples: times.samples() });
