import { alertTypes } from "../../rules/owner/alert-types.ts";
import type { Observer, RequestEnd, RequestStart } from "../observe/observer.ts";
import type { CounterName, HistogramName } from "./table.ts";

type Labels = Readonly<Record<string, string>>;

/** Takes the events of this process, for Prometheus or OpenTelemetry. */
export interface Recorder {
  add(metric: CounterName, labels: Labels, amount?: 0 | 1): void;
  observe(metric: HistogramName, labels: Labels, seconds: number): void;
}

export interface MetricLabels {
  /** True adds the label `store_id` to the counters. */
  readonly store?: boolean;
}

const methods = new Set(["GET", "HEAD", "POST", "PATCH", "OPTIONS"]);

/** Makes an observer that records what it is told as the metrics of the table. */
export function recordingObserver(recorder: Recorder, { store = false }: MetricLabels): Observer {
  const storeLabel = (store_id: string | null): Labels =>
    store ? { store_id: store_id ?? "" } : {};
  startAtZero(recorder, store);

  const countRequest = ({ method }: RequestStart, end: RequestEnd): void => {
    const { status, error_code, store_id, duration_ms, idempotency } = end;
    const route = end.route ?? "none";
    const own = storeLabel(store_id);
    const named = { method: methods.has(method) ? method : "other", route, ...own };
    recorder.add("requests", { ...named, status: String(status), code: error_code ?? "" });
    recorder.observe("request_duration", { route }, duration_ms / 1000);
    if (idempotency) recorder.add("idempotency", { outcome: idempotency, ...own });
    if (error_code === "rate_limit_exceeded") recorder.add("limited", { route, ...own });
  };

  return {
    request: (start) => (end) => countRequest(start, end),
    delivery: () => (end) => {
      recorder.add("webhook_attempts", { outcome: end.error ?? "delivered" });
      recorder.observe("webhook_attempt_duration", {}, end.duration_ms / 1000);
    },
    alert: ({ type, store_id }) => recorder.add("alerts", { type, ...storeLabel(store_id) }),
    session: ({ outcome, store_id }) =>
      recorder.add("sessions", { outcome, ...storeLabel(store_id) }),
    payment: ({ gateway, outcome, store_id }) =>
      recorder.add("payments", { gateway, outcome, ...storeLabel(store_id) }),
    cacheLookup: ({ cache, hit }) =>
      recorder.add("caches", { cache, outcome: hit ? "hit" : "miss" }),
    storageCall: ({ call, ok, duration_ms }) =>
      recorder.observe("storage_calls", { call, outcome: ok ? "ok" : "error" }, duration_ms / 1000),
  };
}

/**
 * Starts counters at zero, because an alert on an increase needs the value before
 * it. With the label `store_id`, the counters of stores are left out, because the
 * stores are not known yet.
 */
function startAtZero(recorder: Recorder, store: boolean): void {
  recorder.add("webhook_attempts", { outcome: "delivered" }, 0);
  if (store) return;
  for (const type of alertTypes) recorder.add("alerts", { type }, 0);
  for (const outcome of ["created", "paid", "failed"]) recorder.add("sessions", { outcome }, 0);
}
