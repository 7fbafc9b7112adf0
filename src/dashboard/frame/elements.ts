import { type Html, html, raw } from "../../contract/html.ts";
import { base64url } from "../../domain/keys/hash.ts";
import type { DashboardAction } from "../../owner/actions.ts";
import { may } from "../access/access.ts";
import type { TextName } from "../language.ts";
import type { Visit } from "../screen.ts";

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">`;

const partEnds = /(?<=[@/._-])(?=[^@/._-])/;

/** Lets an address or a name of several parts go on in the next line after one of its parts. */
export const breakable = (text: string): Html =>
  html`${text.split(partEnds).map((part, index) => html`${raw(index > 0 ? "<wbr>" : "")}${part}`)}`;

/** Shows a code or an id. */
export const codeText = (text: string): Html => html`<code>${breakable(text)}</code>`;

/** Shows a value as JSON, a line for each field. */
export const jsonBlock = (value: unknown): Html =>
  html`<pre>${JSON.stringify(value, null, 2)}</pre>`;

export const primaryButton = (label: string): Html =>
  html`<button class="button primary">${label}</button>`;

/**
 * Renders a link that looks like a button. Gives nothing for someone who may not do
 * what it leads to.
 */
export const actionLink = (
  visit: Visit,
  action: DashboardAction,
  link: { readonly label: TextName; readonly address: string; readonly kind?: string },
): Html | null =>
  may(visit.access, action)
    ? html`<a class="button ${link.kind ?? ""}"
href="${link.address}">${visit.language.say(link.label)}</a>`
    : null;

interface FormTag {
  readonly address: string;
  readonly token: string;
  /** The form is sent once by this id. It is null for a form that may be sent again. */
  readonly once: string | null;
  readonly body: Html;
  readonly className?: string;
  /** True when the form has a field for a file. */
  readonly hasFile?: boolean;
}

export const formTag = ({ address, token, once, body, className = "", hasFile }: FormTag): Html =>
  html`<form method="post" action="${address}" class="${className}"
${raw(hasFile ? 'enctype="multipart/form-data"' : "")} novalidate>
${hidden("token", token)}${once === null ? null : hidden("once", once)}
${body}
</form>`;

/** Renders a form of the visited screen; `name` says which one. */
export const screenForm = (
  visit: Visit,
  form: {
    readonly name: string;
    readonly body: Html;
    readonly className?: string;
    readonly hasFile?: boolean;
    /** Where the form is sent. By default the page, without its query. */
    readonly address?: string;
  },
): Html =>
  formTag({
    address: form.address ?? visit.path,
    token: visit.token,
    once: base64url(visit.parts.randomBytes(16)),
    body: html`${hidden("do", form.name)}${form.body}`,
    className: form.className ?? "",
    hasFile: form.hasFile ?? false,
  });

/** Renders a form that is a single button. Gives nothing for someone who may not send it. */
export const buttonForm = (
  visit: Visit,
  button: {
    readonly name: string;
    readonly action: DashboardAction;
    readonly label: TextName;
    readonly fields?: Readonly<Record<string, string>>;
    readonly kind?: "small" | "primary" | "";
    /** Tells users of screen readers what the button is about. */
    readonly about?: string;
    /** Where the form is sent. By default the page, without its query. */
    readonly address?: string;
  },
): Html | null => {
  if (!may(visit.access, button.action)) return null;
  const fields = Object.entries(button.fields ?? {}).map(([name, value]) => hidden(name, value));
  const about = button.about ? html`<span class="unseen"> ${button.about}</span>` : null;
  return screenForm(visit, {
    name: button.name,
    className: "inline",
    ...(button.address && { address: button.address }),
    body: html`${fields}<button
class="button ${button.kind ?? "small"}">${visit.language.say(button.label)}${about}</button>`,
  });
};

export type Tone = "good" | "warn" | "bad" | "plain";

export const badge = (tone: Tone, label: string): Html =>
  html`<span class="badge ${tone}">${label}</span>`;

export const card = (title: string | null, body: Html): Html =>
  html`<section class="card">${title === null ? null : html`<h2>${title}</h2>`}${body}</section>`;

export const notice = (tone: Tone, text: string | Html): Html =>
  html`<p class="notice ${tone}">${text}</p>`;

/** Renders a part of the page that is closed at first: one line opens it. */
export const fold = (label: string | Html, body: Html, isOpen = false): Html =>
  html`<details class="fold" ${raw(isOpen ? "open" : "")}><summary>${label}</summary>
${body}</details>`;

/** Renders names and what they stand for. */
export const facts = (rows: readonly (readonly [name: string, value: Html | string])[]): Html =>
  rows.length === 0
    ? html``
    : html`<dl class="facts">${rows.map(
        ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
      )}</dl>`;

/** A list that has nothing yet says what belongs there, and how it gets there. */
export const emptyList = (title: string, text: string, action: Html | null = null): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;

export type Row = readonly (Html | string | null)[];

/** The head of a column by which the list can be sorted. */
export interface Head {
  readonly label: string;
  /** Leads to the list in the order of the column, or in the other direction. */
  readonly address: string;
  /** The direction in which the list is sorted by it. Null for another order. */
  readonly sorted: "ascending" | "descending" | null;
}

export interface Table {
  readonly caption: string;
  readonly columns: readonly (string | Head)[];
  /** A row has one cell for each column. */
  readonly rows: readonly Row[];
  /** The index of the column of amounts, whose digits are aligned. */
  readonly amounts?: number;
}

const headOf = (column: string | Head, mark: Html): Html => {
  if (typeof column === "string") return html`<th scope="col" ${mark}>${column}</th>`;
  const { label, address, sorted } = column;
  const direction = sorted === null ? null : html`aria-sort="${sorted}"`;
  return html`<th scope="col" ${mark} ${direction}><a href="${address}">${label}</a></th>`;
};

/** Renders a table. In a narrow place each row is a card, and each cell names its column. */
export const table = ({ caption, columns, rows, amounts }: Table): Html => {
  const mark = (index: number): Html => raw(index === amounts ? 'class="amount"' : "");
  const labels = columns.map((column) => (typeof column === "string" ? column : column.label));
  const heads = columns.map((column, index) => headOf(column, mark(index)));
  const cellOf = (cell: Row[number], index: number): Html =>
    html`<td data-column="${labels[index] ?? ""}" ${mark(index)}>${
      cell === null ? null : html`<div>${cell}</div>`
    }</td>`;

  const kind = columns.length > 4 ? "table wide" : "table";
  return html`<div class="${kind}"><table><caption class="unseen">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>`)}</tbody></table></div>`;
};

/** Renders a text of several lines, with a button that copies it. */
export const codeArea = (
  { language }: Pick<Visit, "language">,
  box: { readonly id: string; readonly label: string; readonly value: string },
): Html =>
  html`<div class="code-box"><label for="${box.id}">${box.label}</label>
<textarea id="${box.id}" readonly rows="6">
${box.value}</textarea>
<button class="button small" type="button" hidden data-copy="${box.id}"
data-copied="${language.say("copied")}">${language.say("copy")}</button></div>`;

/** Renders a secret or an id, with a button that copies it. */
export const codeBox = (
  { language }: Pick<Visit, "language">,
  box: { readonly id: string; readonly label: string; readonly value: string },
): Html =>
  html`<div class="code-box"><label for="${box.id}">${box.label}</label>
<div><input id="${box.id}" readonly value="${box.value}">
<button class="button" type="button" hidden data-copy="${box.id}"
data-copied="${language.say("copied")}">${language.say("copy")}</button></div></div>`;
