import { isPublicError, publicErrors } from "../../contract/errors.ts";
import type { ApiFault } from "../shared/store-api.ts";
import { BusinessFault, notFound, ProtocolFault } from "./replies.ts";

/** Errors of the API that the protocol has a code of its own for. */
const codes: Readonly<Record<string, string>> = {
  product_unavailable: "item_unavailable",
  insufficient_stock: "out_of_stock",
  coupon_invalid: "discount_code_invalid",
  amount_out_of_range: "amount_out_of_range",
  currency_mismatch: "currency_mismatch",
  parameter_invalid: "invalid",
  parameter_missing: "field_required",
};

/** Names of the API's fields, and the paths of the protocol's. */
const fields: readonly (readonly [RegExp, string])[] = [
  [/^items/, "line_items"],
  [/\.product_id$/, ".item.id"],
  [/^customer\b/, "buyer"],
  [/^coupon_code$/, "discounts.codes[0]"],
];

/** Turns the name of a wrong parameter into a JSONPath of the answer. */
export function pathOf(param: unknown): string | undefined {
  if (typeof param !== "string" || param === "") return undefined;

  const path = fields.reduce((text, [from, to]) => text.replace(from, to), param);
  return /^(line_items|buyer|discounts)\b[\w.[\]]*$/.test(path) ? `$.${path}` : undefined;
}

/** Makes the protocol's error of one of the API's. */
export function faultOf(error: ApiFault): ProtocolFault | BusinessFault {
  const { code, message, param, retry_after_seconds: wait } = error;
  const content = typeof message === "string" ? message : "The store refused the request.";
  if (typeof code !== "string" || !isPublicError(code))
    return new ProtocolFault(503, "service_unavailable", content);
  if (code === "resource_not_found") return notFound();

  const named = codes[code];
  if (named !== undefined) {
    const path = pathOf(param);
    const at = path === undefined ? {} : { path };
    return new BusinessFault({
      type: "error",
      code: named,
      content,
      severity: "recoverable",
      ...at,
    });
  }
  // A key that does not count is a fault of the store's own settings.
  const [status] = publicErrors[code];
  if (status === 401 || status >= 500)
    return new ProtocolFault(503, "service_unavailable", unavailable, waitOf(wait) ?? 60);
  return new ProtocolFault(status, code, content, waitOf(wait));
}

const unavailable = "The store cannot answer for a moment. Try again.";

const waitOf = (seconds: unknown): number | undefined =>
  typeof seconds === "number" && seconds > 0 ? seconds : undefined;
