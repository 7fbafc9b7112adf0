import { Argument, Command, Option } from "commander/esm.mjs";
import { type ArgumentRow, type CommandRow, exitCodes, type OptionRow } from "./command.ts";
import { type Input, readInput } from "./input.ts";
import { optionsOf } from "./shared-options.ts";

export interface ProgramOptions {
  readonly version: string;
  readonly commands: readonly CommandRow[];
  /** The texts above the commands of a group, by its word. */
  readonly groups: Readonly<Record<string, string>>;
  readonly run: (command: CommandRow, input: Input) => Promise<void>;
}

/** Builds the command line of a table of commands. */
export function buildProgram({ version, commands, groups, run }: ProgramOptions): Command {
  const program = newCommand("vitrine")
    .description("A headless storefront at the prompt.")
    .version(version, "--version", "print the version")
    .addHelpText("after", exitCodeText());

  const parents = new Map<string, Command>();
  const parentOf = (row: CommandRow): Command => {
    const [group = ""] = row.name.split(" ");
    if (group === row.name) return program;

    const known = parents.get(group) ?? newCommand(group).description(groups[group] ?? "");
    if (!parents.has(group)) program.addCommand(known);
    parents.set(group, known);
    return known;
  };

  for (const row of commands) parentOf(row).addCommand(commandOf(row, run));
  return program;
}

const newCommand = (name: string): Command =>
  new Command(name)
    .exitOverride()
    .helpOption("--help", "show this help")
    .helpCommand(false)
    .showHelpAfterError("Add --help for how it is called.");

function commandOf(row: CommandRow, run: ProgramOptions["run"]): Command {
  const command = newCommand(row.name.split(" ").at(-1) ?? row.name)
    .description(row.summary)
    .addHelpText("after", `\nExample:\n  $ ${row.example}`);
  for (const argument of row.arguments ?? []) command.addArgument(argumentOf(argument));
  for (const option of optionsOf(row)) command.addOption(optionOf(option));
  return command.action(() => run(row, readInput(command.opts(), command.args)));
}

function argumentOf({ name, text, choices }: ArgumentRow): Argument {
  const argument = new Argument(name, text);
  return choices ? argument.choices([...choices]) : argument;
}

function optionOf({ flags, text, choices, required }: OptionRow): Option {
  const option = new Option(flags, text).makeOptionMandatory(required ?? false);
  return choices ? option.choices([...choices]) : option;
}

const exitCodeText = (): string =>
  [
    "\nExit codes:",
    ...Object.values(exitCodes).map(
      ([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`,
    ),
  ].join("\n");
