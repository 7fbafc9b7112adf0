#!/usr/bin/env node
import { CommanderError } from "commander/esm.mjs";
import { commands, groups } from "./commands/table.ts";
import { CommandError, type ExitName, exitCodes } from "./frame/command.ts";
import { failureLines } from "./frame/failure.ts";
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
  const json = words.includes("--json");
  const program = buildProgram({
    version,
    isQuiet: json,
    commands,
    groups,
    async run(command, input) {
      changes = command.changes !== undefined;
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
    // Commander ends --help and --version by an error too.
    if (error instanceof CommanderError && error.exitCode === 0) return "done";
    // Without --json it has said what is wrong already.
    if (error instanceof CommanderError && !json) return "usage";
    const told = error instanceof CommanderError ? usageError(error) : error;
    if (!(told instanceof CommandError)) throw error;
    const paint = (text: string): string => onTerminal(text);
    process.stderr.write(`${failureLines(told, { json, paint }).join("\n")}\n`);
    return told.exit;
  }
}

const usageError = ({ message }: CommanderError): CommandError =>
  new CommandError("usage", message.replace(/^error: /, ""));

/** True where the command changes something: a reader that leaves must not end it halfway. */
let changes = false;

/** The first fault of stdout other than a reader that has left. */
let unwritten: Error | undefined;
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") unwritten ??= error;
  else if (!changes) process.exit(exitCodes.done[0]);
});
// Node ends a process whose stderr fails and has no listener: here, in the middle of its work.
process.stderr.on("error", () => {});

const exit = await main(process.argv.slice(2));
// A host's own timers and sockets must not keep the prompt waiting. The stream tells its fault
// only after it has called back.
process.stdout.write("", () => setImmediate(leave));

function leave(): void {
  const end = exit === "done" && unwritten ? "failed" : exit;
  if (unwritten) process.stderr.write(`The output is not whole: ${unwritten.message}\n`);
  process.exit(exitCodes[end][0]);
}
