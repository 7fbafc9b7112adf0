import { type Html, html, raw } from "../contract/html.ts";
import type { Store } from "../contract/schemas.ts";
import { mapTexts } from "../domain/text/plain.ts";
import type { Letter } from "./letter.ts";
import type { MailLanguage } from "./texts.ts";

/** What every letter of a store shows. */
export interface Sheet {
  readonly store: Store;
  readonly language: MailLanguage;
  readonly livemode: boolean;
  /** The buyer's name. Null when it is not known. */
  readonly name: string | null;
}

/** Renders what a message has of its letter and its store. */
export function renderLetter(letter: Letter, sheet: Sheet) {
  const shown = onOneLine({ letter, sheet });
  return {
    locale: sheet.language.locale,
    subject: shown.letter.subject,
    html: letterHtml(shown.letter, shown.sheet),
    text: letterText(shown.letter, shown.sheet),
    store_id: sheet.store.id,
    livemode: sheet.livemode,
  };
}

/**
 * Puts each text on one line: what a merchant or a buyer has typed must begin no further line of
 * the message's head, and no paragraph of its plain text. HTML shows line ends as blanks anyway.
 */
const onOneLine = ({ letter, sheet }: { readonly letter: Letter; readonly sheet: Sheet }) => ({
  letter: flat(letter),
  sheet: { ...sheet, store: flat(sheet.store), name: flat(sheet.name) },
});

const flat = <Value>(value: Value): Value =>
  mapTexts(value, (text) => text.replace(lineEnds, " ").trim());

const lineEnds = /[\p{Cc}\u2028\u2029][\s\p{Cc}]*/gu;

const helloOf = ({ language, name }: Sheet): string =>
  name === null ? language.say("mail_hello_nobody") : language.say("mail_hello", { name });

/** Gives the last lines: how to reach the store, and why one gets the message. */
function endOf({ store, language }: Sheet): readonly string[] {
  const contact = store.support_email ?? store.support_url;
  const questions = contact === null ? [] : [language.say("mail_questions", { contact })];
  return [...questions, language.say("mail_why", { store: store.name })];
}

/** Renders a letter as plain text. */
function letterText(letter: Letter, sheet: Sheet): string {
  const { title, paragraphs, lines, sums, button } = letter;
  const { language, livemode } = sheet;

  const bought = lines.map(({ name, details, quantity, amount }) =>
    [`${quantity} × ${name}: ${amount}`, ...details.map((detail) => `    ${detail}`)].join("\n"),
  );
  const blocks = [
    ...(livemode ? [] : [language.say("test_mode")]),
    title,
    helloOf(sheet),
    ...paragraphs,
    bought.join("\n"),
    sums.map(([label, amount]) => `${label}: ${amount}`).join("\n"),
    button === null ? "" : `${button.label}:\n${button.url}\n\n${button.note}`,
    `-- \n${endOf(sheet).join("\n")}`,
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/**
 * Renders a letter as HTML. The first colours stand in each element, because some mail programs
 * read no style sheet; the sheet turns them round for readers in the dark.
 */
function letterHtml(letter: Letter, sheet: Sheet): string {
  const { subject, title, paragraphs, button } = letter;
  const { store, language, livemode } = sheet;

  return html`<!doctype html>
<html lang="${language.lang}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title><style>${raw(style)}</style></head>
<body class="back" style="${raw(css.body)}">
${livemode ? null : html`<p style="${raw(css.test)}">${language.say("test_mode")}</p>`}
<table role="presentation" width="100%" cellspacing="0" cellpadding="0"><tr><td align="center"
style="padding:24px 12px"><div class="sheet" style="${raw(css.sheet)}">
<p class="soft" style="${raw(css.store)}">${store.name}</p>
<h1 style="${raw(css.title)}">${title}</h1>
<p style="${raw(css.text)}">${helloOf(sheet)}</p>
${paragraphs.map((text) => html`<p style="${raw(css.text)}">${text}</p>`)}
${linesTable(letter)}
${
  button &&
  html`<p style="${raw(css.text)}"><a class="button" href="${button.url}"
style="${raw(css.button)}">${button.label}</a></p>
<p class="soft" style="${raw(css.small)}">${button.note}</p>`
}
</div><div style="${raw(css.end)}">${endOf(sheet).map(
    (text) => html`<p class="soft" style="${raw(css.small)}">${text}</p>`,
  )}</div></td></tr></table></body></html>`.html;
}

function linesTable({ lines, sums }: Letter): Html | null {
  if (lines.length === 0) return null;

  const rows = lines.map(
    ({ name, details, quantity, amount }) => html`<tr>
<td class="line" style="${raw(css.cell)}">${quantity} × ${name}${details.map(
      (detail) => html`<br><span class="soft" style="${raw(css.detail)}">${detail}</span>`,
    )}</td>
<td class="line" style="${raw(css.amount)}">${amount}</td></tr>`,
  );
  const last = sums.length - 1;
  const totals = sums.map(([label, amount], index) => {
    const weight = index === last ? "font-weight:700" : "font-weight:400";
    return html`<tr><td style="${raw(`${css.sum};${weight}`)}">${label}</td>
<td style="${raw(`${css.sum};${right};${weight}`)}">${amount}</td></tr>`;
  });
  return html`<table width="100%" cellspacing="0" cellpadding="0"
style="border-collapse:collapse;margin:8px 0">${rows}${totals}</table>`;
}

const small = "font-size:14px;line-height:1.5;color:#57606a;margin:0 0 8px";
const right = "text-align:right;white-space:nowrap;vertical-align:top";
const cell = "padding:10px 12px 10px 0;border-bottom:1px solid #d8dee4;vertical-align:top";

const css = {
  body:
    "margin:0;padding:0;background:#f3f5f7;color:#1c2128;" +
    "font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif",
  test:
    "margin:0;padding:8px 12px;background:#fff3cd;color:#5c4400;" +
    "text-align:center;font-size:14px",
  sheet:
    "max-width:520px;margin:0 auto;padding:24px 20px;background:#ffffff;border-radius:12px;" +
    "text-align:left;overflow-wrap:anywhere",
  store: "margin:0 0 12px;font-size:14px;font-weight:600;color:#57606a",
  title: "margin:0 0 16px;font-size:24px;line-height:1.25",
  text: "margin:0 0 16px",
  small,
  cell,
  detail: "font-size:14px;color:#57606a",
  amount: `${cell};padding-right:0;${right}`,
  sum: "padding:8px 0 0",
  button:
    "display:inline-block;padding:12px 20px;border-radius:8px;background:#0b57d0;color:#ffffff;" +
    "font-weight:600;text-decoration:none",
  end: "max-width:520px;margin:0 auto;padding:16px 20px;text-align:left;overflow-wrap:anywhere",
} as const;

const style = `
@media (prefers-color-scheme: dark) {
  .back { background: #0d1117 !important; color: #e6edf3 !important; }
  .sheet { background: #161b22 !important; }
  .soft { color: #9da7b3 !important; }
  .line { border-color: #30363d !important; }
  .button { background: #a8c7fa !important; color: #062e6f !important; }
}`;
