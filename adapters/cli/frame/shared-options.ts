import type { CommandRow, OptionRow } from "./command.ts";
import { configNames } from "./host.ts";

/** Gives the options that a command has because of its ways, and of what it changes. */
export function sharedOptions({ ways, about, changes }: CommandRow): readonly OptionRow[] {
  const byUrl = ways.includes("url");
  const byConfig = ways.includes("config");
  return [
    ...(byUrl ? urlOptions : []),
    ...(byConfig ? [configOption] : []),
    ...(byConfig && about.startsWith("store") ? [storeOption] : []),
    ...(byConfig && about === "store" ? [liveOption] : []),
    ...(changes && ways.length > 0 ? [yesOption] : []),
    { flags: "--json", text: "write the result as JSON" },
  ];
}

/** The options of a list that has pages. */
export const paging: readonly OptionRow[] = [
  { flags: "--limit <rows>", text: "rows of a page (1 to 100)" },
  {
    flags: "--after <id>",
    text: "the page after this one: the list's last line says it",
    params: ["starting_after"],
  },
];

/** The option of a command whose answer has a secret that is shown once. */
export const secretTo: OptionRow = {
  flags: "--secret-to <file>",
  text: "write the secret into this new file (0600) and do not show it",
};

const urlOptions: readonly OptionRow[] = [
  { flags: "--url <url>", text: "the API, with its version (or VITRINE_URL)" },
  { flags: "--key-file <file>", text: "a file of mode 0600 with the key (or VITRINE_API_KEY)" },
];

const configOption: OptionRow = {
  flags: "--config <file>",
  text: `the host (${configNames.join(", ")} of this folder)`,
};

const storeOption: OptionRow = {
  flags: "--store <store>",
  text: "a store's id or slug (or VITRINE_STORE)",
};

const liveOption: OptionRow = { flags: "--live", text: "live mode (test mode without it)" };

const yesOption: OptionRow = { flags: "--yes", text: "do not ask, in live mode either" };

/** Gives the option or argument that a parameter of a call was typed as, else the parameter. */
export function typedName(command: CommandRow, param: string): string {
  const option = optionsOf(command).find(({ params }) => params?.includes(param));
  const argument = command.arguments?.find(({ params }) => params?.includes(param));
  return option?.flags.split(" ")[0] ?? argument?.name ?? param;
}

/** Gives every option of a command, its own first. */
export const optionsOf = (command: CommandRow): readonly OptionRow[] => [
  ...(command.options ?? []),
  ...sharedOptions(command),
];
