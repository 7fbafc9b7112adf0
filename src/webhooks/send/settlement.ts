import { nextDue } from "../../rules/webhooks/schedule.ts";
import type { ClaimedDelivery, Settlement } from "../../rules/webhooks/webhook-records.ts";
import type { DrainContext } from "../drain/drain-context.ts";
import type { Sent } from "./transport.ts";

/** The outcome of a send, or of a delivery that was given up without a send. */
export type SendOutcome = Omit<Sent, "error"> & { readonly error: string | null };

export interface EndedSend {
  readonly delivery: ClaimedDelivery;
  readonly lease_token: string;
  readonly started_at: number;
  readonly sent: SendOutcome;
}

export const maxSnippet = 1_024;
const maxError = 100;
const maxInteger = 2 ** 31 - 1;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Makes what the storage is told about a send that has ended now. */
export function settlementOf(
  ctx: Pick<DrainContext, "now" | "newAlertId" | "scheduleMs">,
  { delivery, lease_token, started_at, sent }: EndedSend,
): Settlement {
  return {
    store_id: delivery.store_id,
    endpoint_id: delivery.endpoint_id,
    event_id: delivery.event_id,
    lease_token,
    delivered: sent.ok,
    due_at: sent.ok ? null : nextDue(ctx.scheduleMs, delivery.failures + 1, ctx.now()),
    alert_id: sent.ok ? "" : ctx.newAlertId(),
    log: { started_at, ...storable(sent) },
  };
}

/**
 * Makes an outcome that can be stored. A host's transport may return anything, and
 * the outcome must not be lost because a database refuses a text or a number.
 */
const storable = ({ ok, status, error, snippet, duration_ms }: SendOutcome) => ({
  duration_ms: integer(duration_ms),
  status: typeof status === "number" ? integer(status) : null,
  // An attempt without an error counts as a success.
  error: ok ? null : wellFormed(String(error ?? "unknown")).slice(0, maxError),
  snippet: typeof snippet === "string" ? wellFormed(snippet.slice(0, maxSnippet)) : null,
});

const integer = (value: number): number =>
  Number.isFinite(value) ? Math.round(Math.min(Math.max(value, 0), maxInteger)) : 0;

/**
 * Makes a text that PostgreSQL stores. Encoding replaces half of a surrogate pair,
 * and NUL is not allowed.
 */
const wellFormed = (text: string): string =>
  decoder.decode(encoder.encode(text)).replaceAll("\u0000", "\ufffd");
