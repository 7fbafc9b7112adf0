import { Argument, Command, Option } from "commander/esm.mjs";
import { type ArgumentRow, type CommandRow, exitCodes, type OptionRow } from "./command.ts";
import { type Input, readInput } from "./input.ts";
import { wrapLine } from "./screen.ts";
import { optionsOf } from "./shared-options.ts";

export interface ProgramOptions {
  readonly version: string;
  readonly commands: readonly CommandRow[];
  /** The texts above the commands of a group, by its word. */
  readonly groups: Readonly<Record<string, string>>;
  /** True writes nothing about a wrong command line: the caller tells the error. */
  readonly isQuiet?: boolean;
  readonly run: (command: CommandRow, input: Input) => Promise<void>;
}

/** Builds the command line of a table of commands. */
export function buildProgram(options: ProgramOptions): Command {
  const { version, commands, groups, isQuiet = false } = options;
  const program = newCommand("vitrine", isQuiet)
    .description("A headless storefront at the prompt.")
    .version(version, "--version", "print the version")
    .addHelpText("after", exitCodeText());

  const parents = new Map<string, Command>();
  const parentOf = (row: CommandRow): Command => {
    const [group = ""] = row.name.split(" ");
    if (group === row.name) return program;

    const known = parents.get(group) ?? newCommand(group, isQuiet).description(groups[group] ?? "");
    if (!parents.has(group)) program.addCommand(known);
    parents.set(group, known);
    return known;
  };

  for (const row of commands) parentOf(row).addCommand(commandOf(row, options));
  return program;
}

const newCommand = (name: string, isQuiet: boolean): Command =>
  new Command(name)
    .exitOverride()
    .helpOption("--help", "show this help")
    .helpCommand(false)
    .configureOutput({
      outputError: (text, write) => write(`${onTerminal(text.trimEnd())}\n`),
      ...(isQuiet && { writeErr: () => {} }),
    })
    .showHelpAfterError("Add --help for how it is called.");

function commandOf(row: CommandRow, { run, isQuiet = false }: ProgramOptions): Command {
  const command = newCommand(row.name.split(" ").at(-1) ?? row.name, isQuiet)
    .description(row.summary)
    .addHelpText("after", `\nExample:\n${exampleText(row.example)}`);
  for (const argument of row.arguments ?? []) command.addArgument(argumentOf(argument));
  for (const option of optionsOf(row)) command.addOption(optionOf(option));
  return command.action(() => run(row, readInput(command.opts(), command.args)));
}

/** Breaks a long line where the terminal would break it within a word. */
export const onTerminal = (text: string): string =>
  process.stderr.isTTY ? wrapLine(text, process.stderr.columns ?? 80) : text;

/** Writes a command as it can be copied, over two lines where it is long. */
const exampleText = (example: string): string =>
  wrapLine(`    ${example}`, 78).replace(/^ {4}/, "  $ ").replaceAll("\n", " \\\n");

function argumentOf({ name, text, choices }: ArgumentRow): Argument {
  const argument = new Argument(name, text);
  return choices ? argument.choices([...choices]) : argument;
}

function optionOf({ flags, text, choices, required }: OptionRow): Option {
  const told = required ? `${text} (required)` : text;
  const option = new Option(flags, told).makeOptionMandatory(required ?? false);
  return choices ? option.choices([...choices]) : option;
}

const exitCodeText = (): string =>
  [
    "\nExit codes:",
    ...Object.values(exitCodes).map(
      ([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`,
    ),
  ].join("\n");
