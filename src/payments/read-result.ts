import { fail } from "../contract/errors.ts";
import { parseUrl } from "../domain/parse-url.ts";
import type { NextAction } from "../rules/next-action.ts";
import type { PaymentContext } from "./context.ts";
import type { PaymentGateway, PaymentResult } from "./gateway.ts";

const statuses: ReadonlySet<unknown> = new Set<PaymentResult["status"]>([
  "succeeded",
  "pending",
  "requires_action",
  "failed",
]);

/**
 * Refuses a status that is not in the type: a gateway written in plain JavaScript can return one.
 * Such a result counts as no result, and never as a payment.
 */
function checkStatus(gateway: PaymentGateway, result: PaymentResult | undefined): void {
  if (statuses.has(result?.status)) return;

  const allowed = [...statuses].join(", ");
  fail("gateway_error", {
    message: `Gateway ${gateway.id} gave a payment whose status is none of ${allowed}.`,
  });
}

interface Reading {
  readonly gateway: PaymentGateway;
  /** Our id of the payment. */
  readonly subject: string;
  /** True for the answer to a new payment: the time until which it can be paid lies ahead. */
  readonly isNew: boolean;
}

/**
 * Reads an answer. A field that cannot be used never costs the status and the reference: it is
 * dropped, and reported.
 */
export function readResult<R extends PaymentResult | null>(
  ctx: PaymentContext,
  { gateway, subject, isNew }: Reading,
  result: R,
): R {
  if (result === null) return result;
  checkStatus(gateway, result);

  const drop = (field: string): void =>
    ctx.onError(
      new Error(`Gateway ${gateway.id} gave a payment whose ${field} cannot be used.`),
      `gateway:${gateway.id}:${subject}`,
    );

  const { next_action, expires_at, ...facts } = result;
  const read: { next_action?: NextAction; expires_at?: number } = {};
  if (next_action !== undefined) {
    if (isUsable(next_action)) read.next_action = next_action;
    else drop("next_action");
  }
  if (expires_at !== undefined) {
    if (isTime(expires_at) && (!isNew || expires_at > ctx.now())) read.expires_at = expires_at;
    else drop("expires_at");
  }
  return { ...facts, ...read } as R;
}

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

const localHosts: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

function isUsable(action: NextAction): boolean {
  switch (action?.type) {
    case "redirect":
      return isWebAddress(action.url);
    case "qr_code":
      return isText(action.text);
    case "client_secret":
      return isText(action.client_secret) && isText(action.publishable_key);
    case "voucher":
      return isText(action.number) && (action.url === undefined || isWebAddress(action.url));
    default:
      return false;
  }
}

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

function isWebAddress(value: unknown): boolean {
  const url = typeof value === "string" ? parseUrl(value) : null;
  if (!url) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && localHosts.has(url.hostname));
}
