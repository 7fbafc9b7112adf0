import { fail } from "../../contract/errors.ts";
import { type FailureCode, failureCodes } from "../../contract/schemas.ts";
import { parseRedirectUrl } from "../../domain/url-rules.ts";
import { isDeclineCode } from "../../rules/payments/decline-reasons.ts";
import { isFee, type PaymentFee } from "../../rules/payments/fees/payment-fee.ts";
import type { NextAction } from "../../rules/payments/next-action.ts";
import type { PaymentContext } from "../context.ts";
import type { PaymentGateway } from "./gateway.ts";
import type { PaymentResult, SavedMethod } from "./gateway-results.ts";
import { isAmount, isCurrency, isName, isSavedMethod, isText, isTime } from "./stored-values.ts";

type Received = NonNullable<PaymentResult["also_received"]>;

const statuses: ReadonlySet<unknown> = new Set<PaymentResult["status"]>([
  "succeeded",
  "pending",
  "requires_action",
  "failed",
]);

/**
 * Refuses a status that is not in the type: a gateway written in plain JavaScript
 * can return one. Such a result counts as no result, and never as a payment.
 */
function checkStatus(gateway: PaymentGateway, result: PaymentResult | undefined): void {
  if (statuses.has(result?.status)) return;

  const allowed = [...statuses].join(", ");
  fail("invalid_gateway_result", {
    message: `Gateway ${gateway.id} gave a payment whose status is not one of ${allowed}.`,
  });
}

/** The fields of a result that are stored, with their checks. */
const storedFields = [
  ["reference", isName],
  ["payment_reference", isName],
  ["amount", isAmount],
  ["currency", isCurrency],
] as const;

/**
 * Refuses a reference or money of the wrong kind. Without it, it would be other money. An empty
 * reference is none: it would name the money of every payment that has it.
 */
function checkStored(gateway: PaymentGateway, result: PaymentResult): PaymentResult {
  const hasMoney = result.status === "succeeded";
  const read: { -readonly [Field in keyof PaymentResult]?: PaymentResult[Field] } = { ...result };
  for (const field of ["reference", "payment_reference"] as const)
    if (read[field] === "") delete read[field];

  for (const [field, fits] of storedFields) {
    const isNeeded = hasMoney && (field === "amount" || field === "currency");
    if ((isNeeded || read[field] != null) && !fits(read[field]))
      fail("invalid_gateway_result", {
        message: `Gateway ${gateway.id} gave a payment whose ${field} cannot be used.`,
      });
  }
  return read as PaymentResult;
}

interface Reading {
  readonly gateway: PaymentGateway;
  /** The library's id of the payment. */
  readonly subject: string;
  /**
   * True for the answer to a new payment: the time until which it can be paid
   * lies ahead.
   */
  readonly isNew: boolean;
}

/**
 * Reads an answer. Throws `invalid_gateway_result` when the status is unknown, or a reference
 * or an amount has the wrong kind. Any other field that cannot be used is left out and reported.
 */
export function readResult<R extends PaymentResult | null>(
  ctx: PaymentContext,
  { gateway, subject, isNew }: Reading,
  answer: R,
): R {
  if (answer === null) return answer;
  checkStatus(gateway, answer);
  const result = checkStored(gateway, answer);

  const tell = (words: string): void =>
    ctx.onError(new Error(`Gateway ${gateway.id} ${words}`), `gateway:${gateway.id}:${subject}`);
  const drop = (field: string): void => tell(`gave a payment whose ${field} cannot be used.`);
  if (result.status === "succeeded" && result.failure_reason !== undefined)
    tell(`took a payment, and tells: ${result.failure_reason}`);

  const { next_action, expires_at, also_received, saved_method, fee, ...others } = result;
  const { failure_code, decline_code, ...facts } = others;
  const read: {
    next_action?: NextAction;
    expires_at?: number;
    also_received?: Received;
    saved_method?: SavedMethod;
    failure_code?: FailureCode;
    decline_code?: string;
    fee?: PaymentFee;
  } = {};
  if (next_action !== undefined) {
    const action = readAction(next_action);
    if (action) read.next_action = action;
    else drop("next_action");
  }
  if (expires_at !== undefined) {
    if (isTime(expires_at) && (!isNew || expires_at > ctx.now())) read.expires_at = expires_at;
    else drop("expires_at");
  }
  if (also_received !== undefined) {
    const told: Received = Array.isArray(also_received) ? also_received : [];
    read.also_received = told.filter(isMoney);
    if (told !== also_received || read.also_received.length < told.length) drop("also_received");
  }
  if (saved_method !== undefined) {
    if (isSavedMethod(saved_method)) read.saved_method = saved_method;
    else drop("saved_method");
  }
  if (failure_code !== undefined) {
    if (failureCodes.includes(failure_code)) read.failure_code = failure_code;
    else drop("failure_code");
  }
  if (decline_code !== undefined) {
    if (isDeclineCode(decline_code)) read.decline_code = decline_code;
    else drop("decline_code");
  }
  if (fee !== undefined) {
    if (result.status === "succeeded" && isFee(fee)) read.fee = fee;
    else drop("fee");
  }
  return { ...facts, ...read } as R;
}

const isMoney = (money: Received[number] | null | undefined): boolean =>
  isName(money?.payment_reference) && isAmount(money?.amount) && Number(money?.amount) > 0;

/** Copies an action as every storage keeps it. Gives null for one that cannot be stored. */
function storedAction(action: NextAction): NextAction | null {
  try {
    return JSON.parse(JSON.stringify(action));
  } catch {
    return null;
  }
}

/**
 * Gives addresses as `URL` writes them, in ASCII. Gives null for an action that no
 * buyer can follow.
 */
function readAction(told: NextAction): NextAction | null {
  const action = storedAction(told);
  switch (action?.type) {
    case "redirect": {
      const url = parseRedirectUrl(action.url);
      return url === null ? null : { ...action, url };
    }
    case "qr_code":
      return isText(action.text) ? timed(action) : null;
    case "client_secret":
      return isText(action.client_secret) && isText(action.publishable_key) ? action : null;
    case "voucher":
      return isText(action.number) ? readVoucher(timed(action)) : null;
    default:
      return null;
  }
}

type Timed = Extract<NextAction, { type: "qr_code" | "voucher" }>;

const timed = <Action extends Timed>(action: Action): Action => ({
  ...action,
  expires_at: isTime(action.expires_at) ? action.expires_at : null,
});

function readVoucher(action: Extract<NextAction, { type: "voucher" }>): NextAction | null {
  if (action.url === undefined) return action;

  const url = parseRedirectUrl(action.url);
  return url === null ? null : { ...action, url };
}
