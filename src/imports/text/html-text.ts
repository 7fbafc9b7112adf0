/** The named letters of HTML from 160 to 255, in their order. */
const latin = (
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg " +
  "plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest " +
  "Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute " +
  "Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc " +
  "Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute " +
  "ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide " +
  "oslash ugrave uacute ucirc uuml yacute thorn yuml"
).split(" ");

const named: ReadonlyMap<string, string> = new Map([
  ...latin.map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...Object.entries({ nbsp: " ", shy: "", ndash: "–", mdash: "—", hellip: "…", bull: "•" }),
  ...Object.entries({ lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", trade: "™", euro: "€" }),
]);

/** XML knows these five names and no other. */
const namedInXml: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }),
);

/** Puts letters in place of the entities of XML. One of another name stays as it stands. */
export const decodeXml = (text: string): string => decode(text, namedInXml);

const namedInHtml: ReadonlyMap<string, string> = new Map([...named, ...namedInXml]);

/** Puts letters in place of the entities of HTML. */
export const decodeHtml = (text: string): string => decode(text, namedInHtml);

const decode = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}\d{0,2}));/gi,
    (entity, decimal?: string, hex?: string, name?: string) =>
      name === undefined
        ? letterOf(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal))
        : (names.get(name) ?? entity),
  );

/** Gives nothing for NUL, half of a surrogate pair and numbers beyond Unicode. */
const letterOf = (code: number): string =>
  code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
    ? ""
    : String.fromCodePoint(code);

/** Tags of blocks, the opening ones too: text may stand before a block. */
const endsLine =
  /^\/?(?:[bh]r|p|li|h\d|div|tr|table|ul|ol|d[ldt]|pre|section|article|caption|blockquote)$/;
const endsCell = /^\/t[dh]$/;

/** Gives the text of a piece of HTML: without tags, scripts and comments, a line for each block. */
export const htmlText = (html: string): string =>
  decodeHtml(withoutTags(html))
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n[\n ]*/g, "\n")
    .trim();

/** Each part is looked at once, so that a text made to be slow is not. */
function withoutTags(html: string): string {
  const lastEnd = html.lastIndexOf(">");
  let text = "";
  let at = 0;
  for (;;) {
    const open = html.indexOf("<", at);
    if (open < 0 || open > lastEnd) return text + html.slice(at);

    text += html.slice(at, open);
    if (html.startsWith("<!--", open)) {
      at = behind(html, "-->", open + 4);
      continue;
    }
    const name = /^<(\/?[a-z][a-z\d]{0,20})(?![a-z\d])/i
      .exec(html.slice(open, open + 24))?.[1]
      ?.toLowerCase();
    if (name === undefined) {
      text += "<";
      at = open + 1;
      continue;
    }
    at = behind(html, ">", open);
    if (name === "script" || name === "style") at = behindElement(html, name, at);
    else if (endsLine.test(name)) text += "\n";
    else if (endsCell.test(name)) text += " ";
  }
}

function behind(html: string, end: string, from: number): number {
  const found = html.indexOf(end, from);
  return found < 0 ? html.length : found + end.length;
}

function behindElement(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  return found ? behind(html, ">", found.index) : html.length;
}
