/** Holds the exit codes, which docs/cli.md lists. */
export const exitCodes = {
  done: [0, "The work is done."],
  failed: [1, "The work failed, or a check found a fault."],
  usage: [2, "The command, an option, a field or the configuration is wrong."],
  refused: [3, "Not confirmed, or a key was written as an argument: nothing was done."],
  unreachable: [4, "The API or the database does not answer."],
  interrupted: [130, "Ended by Ctrl-C."],
} as const satisfies Readonly<Record<string, readonly [code: number, meaning: string]>>;

export type ExitName = keyof typeof exitCodes;

/** Ends a command with a sentence for its user and an exit code. */
export class CommandError extends Error {
  readonly exit: ExitName;

  constructor(exit: ExitName, message: string) {
    super(message);
    this.exit = exit;
  }
}

export function end(exit: ExitName, message: string): never {
  throw new CommandError(exit, message);
}
