import { isPublicError, publicErrors } from "../../contract/errors.ts";
import type { ApiFault } from "../shared/store-api.ts";
import { AcpFault, notFound } from "./replies.ts";

/** Errors of the API that the protocol has a code, and some a status, of its own for. */
const codes: Readonly<Record<string, readonly [code: string, status: number]>> = {
  idempotency_key_reuse: ["idempotency_conflict", 422],
  request_in_progress: ["idempotency_in_flight", 409],
  product_unavailable: ["invalid_item_id", 400],
  insufficient_stock: ["out_of_stock", 400],
  parameter_invalid: ["invalid", 400],
  parameter_missing: ["missing", 400],
  invalid_json: ["invalid", 400],
};

/** Names of the API's fields, and those of the protocol. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/^items/, "line_items"],
  [/\.product_id$/, ".id"],
  [/^customer\b/, "buyer"],
  [/^coupon_code$/, "discounts.codes"],
];

/** Turns the name of a wrong parameter into a JSONPath of the request. */
export function pathOf(param: unknown): string | undefined {
  if (typeof param !== "string" || param === "") return undefined;

  const path = fields.reduce((text, [from, to]) => text.replace(from, to), param);
  return /^[a-z_]\w*(\.\w+|\[\d+\])*$/.test(path) ? `$.${path}` : undefined;
}

/** Makes the protocol's error of one of the API's. */
export function faultOf({ code, message, param, retry_after_seconds: wait }: ApiFault): AcpFault {
  if (typeof code !== "string" || !isPublicError(code)) return unavailable();
  if (code === "resource_not_found") return notFound();

  const [apiStatus, , usual] = publicErrors[code];
  const retryAfter = typeof wait === "number" && wait > 0 ? wait : undefined;
  if (apiStatus >= 500) return unavailable(retryAfter);

  const [named, status] = codes[code] ?? [code, apiStatus];
  const content = typeof message === "string" ? message : usual;
  return new AcpFault(status, named, content, { param: pathOf(param), retryAfter });
}

export const unavailable = (retryAfter = 60): AcpFault =>
  new AcpFault(503, "service_unavailable", "The store cannot answer now. Try again.", {
    retryAfter,
  });
