import { isStorefrontError, type StorefrontError } from "vitrine/client";
import { el, make } from "./dom.ts";
import { say } from "./say.ts";

const explained = [
  "insufficient_stock",
  "product_unavailable",
  "resource_not_found",
  "request_in_progress",
  "store_maintenance",
  "service_unavailable",
] as const;

/** Explains to a buyer, in simple words, what went wrong. */
export function explain(error: unknown): string {
  if (!isStorefrontError(error)) return say("page_broke");
  if (error.status === 0) return say("out_of_reach");
  if (error.code === "rate_limit_exceeded") return `${say("too_fast")} ${wait(error)}`;
  return say(explained.find((code) => code === error.code) ?? "shop_broke");
}

const wait = ({ retry_after }: StorefrontError): string =>
  retry_after === null ? say("wait") : say("wait_seconds", { count: String(retry_after) });

/** Shows in the element what went wrong, with a button that tries again. */
export function showProblem(id: string, error: unknown, again: () => unknown): void {
  const retry = make("button", {
    type: "button",
    className: "button",
    textContent: say("try_again"),
  });
  retry.onclick = () => {
    hideProblem(id);
    again();
  };
  el(id).replaceChildren(make("span", {}, explain(error)), retry);
  el(id).hidden = false;
  el(id).scrollIntoView({ block: "nearest" });
}

export const hideProblem = (id: string): void => {
  const place = document.getElementById(id);
  if (place) place.hidden = true;
};
