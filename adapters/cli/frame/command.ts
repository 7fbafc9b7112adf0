import type { Api } from "./api.ts";
import type { ExitName } from "./exit.ts";
import type { Host } from "./host.ts";
import type { Input } from "./input.ts";
import type { Screen } from "./screen.ts";
import type { NamedStore } from "./store.ts";

export { CommandError, type ExitName, end, exitCodes } from "./exit.ts";

/** A command works on a host in this process, or on an API over HTTP. */
export type Way = "config" | "url";

/** One option, as commander reads it. */
export interface OptionRow {
  /** Such as `--forward-to <url>`. `<value...>` may be given several times. */
  readonly flags: string;
  readonly text: string;
  readonly choices?: readonly string[];
  readonly required?: boolean;
  /** The parameters of calls that get its value. An error about one of them names this option. */
  readonly params?: readonly string[];
}

export interface ArgumentRow {
  /** Such as `<type>`, or `[id]` where it may be left out. */
  readonly name: string;
  readonly text: string;
  readonly choices?: readonly string[];
  /** The parameters of calls that get its value, as with an option. */
  readonly params?: readonly string[];
}

/** One command. Help, completion, docs/cli.md and the table of ways are made from these rows. */
export interface CommandRow {
  /** One word, or two for a command of a group: `events tail`. */
  readonly name: string;
  readonly summary: string;
  /** Without a way the command needs neither a host nor an API. */
  readonly ways: readonly Way[];
  /**
   * A command about a store takes `--store`, and `--live` where its records are of one mode.
   * The others are about all stores, or about nothing that is stored.
   */
  readonly about: "store" | "store and both modes" | "deployment" | "nothing";
  /** What a live mode is asked about first: `Delete the product`. Absent for one that reads. */
  readonly changes?: string;
  /** True for a command that shows a plan first, and asks by `Call.confirm` itself. */
  readonly asksLater?: boolean;
  readonly arguments?: readonly ArgumentRow[];
  readonly options?: readonly OptionRow[];
  readonly example: string;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Does the work of a command. Gives the name of its exit code where it is not `done`. */
export type Run = (call: Call) => Promise<ExitName | undefined> | Promise<void>;

/** One run of a command. */
export interface Call {
  readonly input: Input;
  readonly screen: Screen;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** The working folder. */
  readonly folder: string;
  readonly way: Way | null;
  /** Every command of the table. */
  readonly commands: readonly CommandRow[];
  /** Asks before a live change, and before one that is named. Ends the command without a yes. */
  confirm(risk?: string): Promise<void>;
  /** Gives the host of the way `config`. */
  host(): Host;
  /** Gives the store and mode of a command about one. */
  store(): NamedStore;
  /** Gives the API of the way `url`. */
  api(): Api;
}
