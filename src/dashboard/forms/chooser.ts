import { type Html, html, raw } from "../../contract/html.ts";

/** Makes a choice of one of these options. */
export const chooser = (
  id: string,
  options: readonly { readonly value: string; readonly label: string }[],
  chosen: string,
): Html =>
  html`<select id="${id}" name="${id}">${options.map(
    ({ value, label }) =>
      html`<option value="${value}" ${raw(value === chosen ? "selected" : "")}>${label}</option>`,
  )}</select>`;
