import type { CommandRow } from "../../frame/command.ts";
import { importFormats } from "./formats.ts";

/** Commands about many products at once. */
export const catalogRows: readonly CommandRow[] = [
  {
    name: "import",
    summary: "Import the products of a file, after a plan of what it changes.",
    ways: ["config"],
    about: "store and both modes",
    changes: "Import the products",
    asksLater: true,
    arguments: [{ name: "<file>", text: "the file; - is stdin" }],
    options: [
      {
        flags: "--from <format>",
        text: "what wrote the file, where its head does not tell (csv: vitrine itself)",
        choices: importFormats,
      },
      { flags: "--currency <code>", text: "the currency of the prices (the store's without it)" },
      {
        flags: "--decimal <sign>",
        text: "the decimal sign of the prices, where they do not tell",
        choices: [".", ","],
      },
      {
        flags: "--missing <what>",
        text: "what becomes of the store's products that the file lacks (keep without it)",
        choices: ["keep", "deactivate"],
      },
      { flags: "--dry-run", text: "show the plan and store nothing" },
      {
        flags: "--rejects <file>",
        text: "write line, column, slug and reason of every refused row into this file, as CSV",
      },
    ],
    example: "vitrine import products_export.csv --store my-shop --rejects refused.csv",
    load: () => import("./import.ts"),
  },
];
