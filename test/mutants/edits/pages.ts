import type { Edit } from "../edit.ts";

/** The pages that people see: their words, and what is typed into them. */
export const pageEdits: readonly Edit[] = [
  {
    name: "every count takes the form of one",
    file: "src/domain/plural.ts",
    from: "formOf(text, rules.select(count))",
    to: 'formOf(text, "one")',
    tests: ["pages/plurals.test.ts"],
  },
  {
    name: "an amount with two readings is guessed",
    file: "src/dashboard/forms/amount-input.ts",
    from: '  if (isUnclear(typed, currency, locale)) return { fault: "fault_amount_unclear" };\n',
    to: "",
    tests: ["dashboard/forms.test.ts"],
  },
  {
    name: "an amount in another currency counts as one of the store's",
    file: "src/dashboard/forms/amount-input.ts",
    from: "  return typed;\n}",
    to: '  return typed.replace(/^[^\\d-]+|[^\\d]+$/g, "");\n}',
    tests: ["dashboard/forms.test.ts"],
  },
  {
    name: "a link that is made in test mode opens in live mode",
    file: "src/dashboard/screens/sessions.ts",
    from: 'livemode ? "live" : "test"',
    to: '"live"',
    tests: ["dashboard/links.test.ts"],
  },
  {
    name: "a search for a coupon's products saves the coupon",
    file: "src/dashboard/forms/form.ts",
    from: "  if (prepared.isOnlyShown) return refuse({ faults: prepared.faults }, 200);\n",
    to: "",
    tests: ["dashboard/coupon-products.test.ts"],
  },
  {
    name: "a product of which enough is left is called sold out",
    file: "src/pages/sold-out.ts",
    from: "(left.get(id) ?? quantity) < quantity",
    to: "(left.get(id) ?? quantity) <= quantity",
    tests: ["pages/states.test.ts"],
    cases: "sold out is named",
  },
  {
    name: "a store's own language that the list lacks is lost when its settings are saved",
    file: "src/dashboard/frame/regions.ts",
    from: "return isListed ? options",
    to: "return isListed || current ? options",
    tests: ["dashboard/regions.test.ts"],
  },
];
