import { fail } from "../../contract/errors.ts";
import { type Html, html, raw } from "../../contract/html.ts";
import { samePage } from "../addresses.ts";
import { readLocalTime } from "../format.ts";
import type { Option } from "../forms/form-field.ts";
import type { TextName } from "../language.ts";
import type { StoreVisit, Visit } from "../screen.ts";

/** The address sets these filters, by their names. An empty one is left out. */
export type Filters = Readonly<Record<string, string>>;

/** Reads the filters that a list knows. */
export function filtersOf({ query }: Visit, names: readonly string[]): Filters {
  const given = names.map((name) => [name, query.get(name)?.trim() ?? ""] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

interface Chips {
  readonly filters: Filters;
  /** Names the filter that the links set. */
  readonly name: string;
  readonly label: TextName;
  /** The first option stands for no choice: its value is empty. */
  readonly options: readonly Option[];
}

/** Renders links that choose one value of a filter. The other filters stay as they are. */
export function chips(visit: Visit, { filters, name, label, options }: Chips): Html {
  const current = filters[name] ?? "";
  const known = options.some(({ value }) => value === current) ? current : "";

  return html`<div class="filters" role="group"
aria-label="${visit.language.say(label)}">${options.map((option) => {
    const address = samePage(visit, { ...filters, [name]: option.value });
    const mark = raw(option.value === known ? 'aria-current="true"' : "");
    return html`<a href="${address}" ${mark}>${option.label}</a>`;
  })}</div>`;
}

interface Pinned {
  readonly name: string;
  readonly label: TextName;
  /** The name of the record that the value stands for. By default the value itself is shown. */
  readonly of?: string | null;
}

/** Renders a filter that another page has set. One can only remove it. */
export function pinned(
  visit: Visit,
  filters: Filters,
  { name, label, of = null }: Pinned,
): Html | null {
  const value = filters[name];
  if (value === undefined) return null;

  const { say } = visit.language;
  const address = samePage(visit, { ...filters, [name]: null });
  const shown = of === null ? html`<code>${value}</code>` : html`<strong>${of}</strong>`;
  return html`<p class="pinned">${say(label)}: ${shown}
<a href="${address}">${say("remove")}<span class="unseen"> ${say(label)}</span></a></p>`;
}

interface FilterField {
  readonly name: string;
  readonly label: TextName;
  readonly kind: "search" | "date" | "choice";
  readonly hint?: TextName;
  readonly options?: readonly Option[];
}

/** Renders a form whose fields become a part of the address, so that a list can be bookmarked. */
export function filterForm(visit: Visit, filters: Filters, fields: readonly FilterField[]): Html {
  const { say } = visit.language;
  const own = new Set(fields.map(({ name }) => name));
  const others = Object.entries(filters).filter(([name]) => !own.has(name));
  const isUsed = Object.keys(filters).some((name) => own.has(name));
  const clear = html`<a class="button" href="${samePage(visit, Object.fromEntries(others))}">
${say("filter_clear")}</a>`;

  return html`<form class="search-form" method="get" action="${visit.path}" role="search">
${others.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields.map((field) => filterField(visit, field, filters[field.name] ?? ""))}
<div class="actions"><button class="button">${say("filter_apply")}</button>
${isUsed ? clear : null}</div></form>`;
}

function filterField({ language }: Visit, field: FilterField, value: string): Html {
  const { name, kind, label, hint, options = [] } = field;
  const id = `filter-${name}`;
  const example = hint === undefined ? null : html`placeholder="${language.say(hint)}"`;
  const control =
    kind === "choice"
      ? html`<select id="${id}" name="${name}">${options.map(
          (option) => html`<option value="${option.value}"
${raw(option.value === value ? "selected" : "")}>${option.label}</option>`,
        )}</select>`
      : html`<input id="${id}" name="${name}" type="${kind}" maxlength="300" value="${value}"
${example} autocomplete="off">`;
  return html`<div class="field ${kind}"><label for="${id}">${language.say(label)}</label>
${control}</div>`;
}

/** The two fields of a range of days. */
export const rangeFields: readonly FilterField[] = [
  { name: "from", label: "filter_from", kind: "date" },
  { name: "to", label: "filter_to", kind: "date" },
];

/** A span of epoch milliseconds. A side that is left out is open. */
export interface Range {
  readonly created_from?: number;
  readonly created_to?: number;
}

/**
 * Reads the days of the store's zone from `from` to `to`, both included, as epoch
 * milliseconds. A day that cannot be read counts as no day.
 */
export function readRange({ store }: StoreVisit, { from, to }: Filters): Range | TextName {
  const created_from = dayStart(from, 0, store.timezone);
  const created_to = dayStart(to, 1, store.timezone);
  if (created_from !== null && created_to !== null && created_from >= created_to)
    return "fault_order";
  return {
    ...(created_from === null ? {} : { created_from }),
    ...(created_to === null ? {} : { created_to }),
  };
}

/** Reads the same days. Throws `parameter_invalid` when the range ends before it begins. */
export function requireRange(visit: StoreVisit, filters: Filters): Range {
  const range = readRange(visit, filters);
  return typeof range === "string" ? fail("parameter_invalid", { param: "to" }) : range;
}

const lastTime = Date.UTC(9999, 11, 31);

/** Gives the time at which a day begins, `later` days after the day that is given. */
function dayStart(date: string | undefined, later: number, timeZone: string): number | null {
  const time = date === undefined ? Number.NaN : Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(time) || time < 0 || time >= lastTime) return null;

  const day = new Date(time);
  day.setUTCDate(day.getUTCDate() + later);
  const start = readLocalTime(day.toISOString().slice(0, 16), timeZone);
  return start === null ? null : Math.max(0, start);
}
