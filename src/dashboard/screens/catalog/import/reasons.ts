import type { Language, TextName } from "../../../language.ts";

/** Lists the reasons that the readers and the store give, with the texts that say them. */
const reasons: readonly (readonly [pattern: RegExp, text: TextName])[] = [
  [/^The name is missing|^name is required/, "refused_name_missing"],
  [/^The price is missing|^price is required/, "refused_price_missing"],
  [/^The (?:name|description|SKU) is longer than (?<most>[\d,]+)/, "refused_long"],
  [/holds NUL or half of a surrogate/, "refused_unclean"],
  [/^The stock must be a whole number up to (?<most>[\d,]+)/, "refused_stock"],
  [/^The (?:row gives the )?slug (?<name>\S+) (?:is given )?a second time/, "refused_repeated"],
  [/^The external_id (?<name>.+) is given a second time/, "refused_repeated_id"],
  [/^The slug (?<name>\S+) is that of .+ is (?<other>.+), and not (?<given>.+)\./, "refused_other"],
  [/^The (?:price|amount) is in (?<given>\w+), and not in (?<wanted>\w+)/, "refused_currency"],
  [/^The row has (?<given>\d+) cells, and the header has (?<wanted>\d+)/, "refused_cells"],
  [/^The line is not a JSON object/, "refused_json"],
  [/^(?:slug or sku|id or slug) is required|neither an SKU nor an ID/, "refused_nameless"],
  [/^The handle is missing/, "refused_nameless"],
  [/no letter of a-z and no digit/, "refused_handle"],
  [/rows of a handle must follow each other/, "refused_handle_order"],
  [/^A handle has at most (?<most>\d+) rows/, "refused_handle_rows"],
  [/^The (?:file|text) cannot be read (?:from here on|any further)/, "refused_unreadable"],
  [/^Text stands behind a closed quote/, "refused_quote"],
  [/^(?<name>.+) is not an amount of (?<wanted>\w+)/, "refused_amount"],
  [/^(?<name>.+) may mean thousands or a fraction/, "refused_decimal"],
  [/^A variation must name its parent|^No variable product of the file/, "refused_parent"],
  [/^A variable product is sold by its variations/, "refused_variations"],
  [/^The variation shares the stock of its parent/, "refused_shared_stock"],
  [/^The availability must be/, "refused_availability"],
  [/must be an? (?:whole )?number|expected (?:number|int)/i, "refused_number"],
  [/must be true or false/, "refused_boolean"],
  [/must be JSON/, "refused_json_cell"],
  [/must be at least (?<most>-?\d+)/, "refused_small"],
  [/must be at most (?<most>\d+)/, "refused_large"],
  [/is taken by another/, "fault_taken"],
  [/must be 1 to 100 characters of a-z, 0-9 and -/, "fault_slug"],
  [/^is not .+: it must have the columns (?<names>.+)/, "head_columns"],
  [/^has the column (?<name>".+") twice/, "head_twice"],
  [/^has the column (?<name>".+"), which no product has: did you mean (?<near>.+)\?/, "head_near"],
  [/^has the column (?<name>".+"), which no product has: they are (?<names>.+)/, "head_unknown"],
  [/^must begin with a header/, "head_none"],
  [/^The picture is left out/, "left_picture"],
  [/^The category (?<name>\S+) is left out/, "left_category"],
  [/^The SKU (?<name>.+) is left out/, "left_sku"],
];

/** Says in the reader's words why a row is refused, or what is left out of its product. */
export function reasonOf({ say, lang }: Language, message: string): string {
  // The sentences of the readers are English, and exact.
  if (lang === "en") return message;
  for (const [pattern, text] of reasons) {
    const match = pattern.exec(message);
    if (match) return say(text, match.groups ?? {});
  }
  return say("fault_other", { reason: message });
}
