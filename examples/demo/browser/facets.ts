import type { Client } from "vitrine/client";
import { el } from "./dom.ts";
import { money } from "./money.ts";
import { say } from "./say.ts";

export type Page = Awaited<ReturnType<Client["listProducts"]>>;

/** How many products each category has. Null where there are too many to be counted. */
export type Counts = NonNullable<Page["facets"]>["category"] | null;

/** Writes beside each category what it has of the search. A category without any stays a button. */
export function countCategories(counts: Counts): void {
  for (const button of el("categories").querySelectorAll<HTMLElement>("button")) {
    const shown = button.querySelector(".found");
    const count = counts?.find(({ category_id }) => category_id === button.dataset["id"])?.count;
    if (shown) shown.textContent = counts ? String(count ?? 0) : "";
    button.classList.toggle("empty", shown !== null && Boolean(counts) && !count);
  }
}

/** Says how many products were found, and what they cost. The first page has counted all. */
export function counted(shown: number, { has_more, corrected_to }: Page, first: Page): string {
  if (shown === 0) return say("nothing_found");

  const { price, available } = first.facets ?? {};
  const total = available ? available.true + available.false : shown;
  const words = say(total === 1 ? "one_product" : "products", { count: String(total) });
  const more = !available && has_more ? `, ${say("more_below")}` : "";
  const currency = first.data[0]?.currency;
  const range =
    price && currency && price.min < price.max
      ? `, ${say("range", { low: money(price.min, currency), high: money(price.max, currency) })}`
      : "";
  const found = words + range + more;
  if (corrected_to === undefined) return found;
  return say("corrected", { words: corrected_to, found });
}
