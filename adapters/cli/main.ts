#!/usr/bin/env node
import { CommanderError } from "commander/esm.mjs";
import { commands, groups } from "./commands/table.ts";
import { CommandError, type ExitName, exitCodes } from "./frame/command.ts";
import { refuseLiteralKeys } from "./frame/literal-keys.ts";
import { buildProgram, onTerminal } from "./frame/program.ts";
import { runCommand } from "./frame/run-command.ts";
import { createScreen } from "./frame/screen.ts";
import { version } from "./frame/version.ts";

/** Reads the command line and runs its command. Gives the name of the exit code. */
async function main(words: readonly string[]): Promise<ExitName> {
  const stop = new AbortController();
  // The first Ctrl-C ends the work in order, the second one at once.
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());

  let exit: ExitName = "done";
  const program = buildProgram({
    version,
    commands,
    groups,
    async run(command, input) {
      const screen = createScreen({
        json: input.flag("json"),
        out: process.stdout,
        err: process.stderr,
        stdinIsTerminal: process.stdin.isTTY === true,
        environment: process.env,
        now: Date.now,
      });
      const { signal } = stop;
      const start = { input, screen, signal, folder: process.cwd(), commands };
      exit = await runCommand(command, start);
    },
  });

  try {
    refuseLiteralKeys(words);
    await program.parseAsync([...words], { from: "user" });
    return exit;
  } catch (error) {
    // Commander has said what is wrong already, and ends --help and --version by an error too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? "done" : "usage";
    if (!(error instanceof CommandError)) throw error;
    process.stderr.write(`${onTerminal(`Error: ${error.message}`)}\n`);
    return error.exit;
  }
}

const exit = await main(process.argv.slice(2));
// A host's own timers and sockets must not keep the prompt waiting.
process.stdout.write("", () => process.exit(exitCodes[exit][0]));
