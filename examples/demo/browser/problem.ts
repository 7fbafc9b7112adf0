import { isStorefrontError, type StorefrontError } from "vitrine/client";
import { el, make } from "./dom.ts";

const words: Readonly<Record<string, string>> = {
  insufficient_stock: "There are not enough left of a product in your cart. Take fewer of it.",
  product_unavailable: "A product in your cart is sold out. Remove it to go on.",
  resource_not_found: "We do not have this any more.",
  request_in_progress: "Your last click is still being worked on.",
  store_maintenance: "The shop is closed for a moment.",
  service_unavailable: "The shop is busy for a moment.",
};

/** Explains to a buyer, in simple words, what went wrong. */
export function explain(error: unknown): string {
  if (!isStorefrontError(error)) return "Something went wrong on this page.";
  if (error.status === 0) return "The shop cannot be reached. Check your connection.";
  if (error.code === "rate_limit_exceeded") return `Too many clicks at once. ${wait(error)}`;
  return words[error.code] ?? "Something went wrong on our side. Nothing was charged.";
}

const wait = ({ retry_after }: StorefrontError): string =>
  retry_after === null ? "Wait a moment." : `Wait ${retry_after} seconds.`;

/** Shows in the element what went wrong, with a button that tries again. */
export function showProblem(id: string, error: unknown, again: () => unknown): void {
  const retry = make("button", { type: "button", className: "button", textContent: "Try again" });
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
