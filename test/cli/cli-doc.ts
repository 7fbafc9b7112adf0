import { commands } from "../../adapters/cli/commands/table.ts";
import { type CommandRow, exitCodes } from "../../adapters/cli/frame/command.ts";
import { optionsOf } from "../../adapters/cli/frame/shared-options.ts";

/** Writes docs/cli.md from the table of commands. `transcript` is what a test saw at the prompt. */
export const cliDocument = (transcript: string): string =>
  `${[intro, transcriptPart(transcript), waysPart(), configPart, exitPart(), completionPart, ...commands.map(commandPart)].join("\n\n")}\n`;

const intro = `# At the prompt: \`npx vitrine\`

<!-- A test writes this page from the table of commands: \`npm run docs\`. -->

The command comes with the package and adds nothing to what your host loads. Every command has
\`--help\` with an example and \`--json\`. Results go to stdout; the store and mode, questions and
progress go to stderr. Colours are used on a terminal alone, and never with \`NO_COLOR\`.

With \`--json\` an error is one object, the last line of stderr, and the exit code says what kind it is:
\`{"error":{"type":"invalid_request_error","code":"parameter_invalid","message":"…","param":"price"}}\`.
\`code\` is the API's, or \`usage\`, \`refused\`, \`unreachable\` or \`failed\` where the command itself failed.

No option takes a key. It comes from \`VITRINE_API_KEY\`, from \`--key-file\` (a file of mode 0600) or
from a prompt that does not show it. A key that is typed as an argument is refused: it stands in the
shell's history by then, so revoke it. What changes live mode asks first, unless you say \`--yes\`.`;

const transcriptPart = (transcript: string): string => `## From an empty folder to a paid test order

\`\`\`text
${transcript}
\`\`\`

From an empty npm cache this took 138 s on Node 22, on two cores where twenty other processes were at
work: \`node test/package/init.mjs\` times it. On Node 20 npm compiles better-sqlite3 12 where it cannot
download its binary, which takes minutes more.`;

const completionPart = `## Completion

The key of completion knows every command, its choices, its options and theirs. A line for each shell:

\`\`\`sh
vitrine completion bash > ~/.local/share/bash-completion/completions/vitrine
vitrine completion zsh > "\${fpath[1]}/_vitrine" # before compinit
vitrine completion fish > ~/.config/fish/completions/vitrine.fish
\`\`\``;

const wayNames = { config: "host", url: "API" } as const;

const waysPart = (): string =>
  [
    "## Which command works in which way",
    "",
    "*Host* opens your storefront in this process, by `vitrine.config.mjs` of the folder or `--config`.",
    "*API* talks to a running one by `--url`. The others need neither.",
    "",
    "| command | host | API | what it does |",
    "| --- | --- | --- | --- |",
    ...commands.map(({ name, ways, summary }) => {
      const marks = (Object.keys(wayNames) as (keyof typeof wayNames)[]).map((way) =>
        ways.includes(way) ? "✓" : "",
      );
      return `| [\`${name}\`](#${anchorOf(name)}) | ${marks.join(" | ")} | ${summary} |`;
    }),
  ].join("\n");

const anchorOf = (name: string): string => `vitrine-${name.replaceAll(" ", "-")}`;

const configPart = `## The configuration

\`vitrine.config.mjs\`, \`.js\` or \`.ts\` exports \`storefront\`, or a function that gives it. A \`.ts\` file needs
Node 22.18 or later, which strips the types, or \`tsx\` in the project. It may also export:

| export | for |
| --- | --- |
| \`database\` | the \`pg\` pool, or the path or handle of the SQLite file: \`doctor\` looks at it, \`conformance\` makes a schema in it |
| \`schema\` | the PostgreSQL schema of the tables |
| \`gateways\` | the gateways, in their providers' test mode, that \`conformance\` tries |
| \`openStorage(name)\` | an empty storage for \`conformance\`, where yours is neither of the two |
| \`close()\` | closes what the configuration opened, such as the pool |`;

const exitPart = (): string =>
  [
    "## Exit codes",
    "",
    "| code | meaning |",
    "| --- | --- |",
    ...Object.values(exitCodes).map(([code, meaning]) => `| ${code} | ${meaning} |`),
  ].join("\n");

function commandPart(row: CommandRow): string {
  const { name, summary, arguments: given = [], example } = row;
  const usage = [`vitrine ${name}`, ...given.map((each) => each.name), "[options]"].join(" ");
  return [
    `## \`vitrine ${name}\``,
    "",
    summary,
    "",
    "```sh",
    `${example} # ${usage}`,
    "```",
    "",
    "| option | meaning |",
    "| --- | --- |",
    ...given.map(({ name: word, text, choices }) => `| \`${word}\` | ${textOf(text, choices)} |`),
    ...optionsOf(row).map(
      ({ flags, text, choices, required }) =>
        `| \`${flags}\` | ${textOf(text, choices)}${required ? "; required" : ""} |`,
    ),
  ].join("\n");
}

const textOf = (text: string, choices: readonly string[] = []): string =>
  choices.length === 0 ? text : `${text}: ${choices.map((choice) => `\`${choice}\``).join(", ")}`;
