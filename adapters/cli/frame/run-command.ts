import { type Api, openApi } from "./api.ts";
import { ask } from "./ask.ts";
import { type Call, type CommandRow, type ExitName, end, type Way } from "./command.ts";
import { exitOf, failureLines } from "./failure.ts";
import { closeHost, findConfig, type Host, openHost } from "./host.ts";
import type { Input } from "./input.ts";
import type { Screen } from "./screen.ts";
import { typedName } from "./shared-options.ts";
import { findStore, modeName, type NamedStore } from "./store.ts";
import { oneLine } from "./table-lines.ts";

/** What a run was begun with. */
export interface Start {
  readonly input: Input;
  readonly screen: Screen;
  readonly signal: AbortSignal;
  readonly folder: string;
  readonly commands: readonly CommandRow[];
}

/** Opens what a command works on, says what that is, asks before a live change, and runs it. */
export async function runCommand(command: CommandRow, start: Start): Promise<ExitName> {
  const { screen } = start;
  const target = await openTarget(command, start).catch((error) => tell(start, command, error));
  if (typeof target === "string") return target;

  try {
    const { store, host, api } = target;
    if (target.way) screen.note(screen.paint.strong(target.what));
    const confirm = (risk?: string): Promise<void> => confirmChange(command, start, target, risk);
    if (!command.asksLater) await confirm();
    const call: Call = {
      ...start,
      way: target.way,
      confirm,
      host: () => host ?? missing("host"),
      store: () => store ?? missing("store"),
      api: () => api ?? missing("API"),
    };
    const { run } = await command.load();
    return (await run(call)) ?? "done";
  } catch (error) {
    return start.signal.aborted ? "interrupted" : tell(start, command, error);
  } finally {
    screen.settle();
    if (target.host) await closeHost(target.host).catch((error) => tell(start, command, error));
  }
}

interface Target {
  readonly way: Way | null;
  /** True when a change reaches buyers. */
  readonly live: boolean;
  /** The store and mode, for the first line on the screen. */
  readonly what: string;
  readonly host?: Host;
  readonly store?: NamedStore;
  readonly api?: Api;
}

async function openTarget(command: CommandRow, { input, screen, folder }: Start): Promise<Target> {
  const url = input.text("url") ?? process.env["VITRINE_URL"];
  const file = input.text("config") ?? findConfig(folder);
  const way = chooseWay(command, { url, file, named: input.text("config") !== undefined });
  if (way === "url" && url !== undefined) {
    const api = await openApi(url, input, screen);
    const { store, livemode } = api;
    const what = `${oneLine(store.name)} (${store.id}) · ${modeName(livemode)} · ${url}`;
    return { way, api, live: livemode, what };
  }
  if (way !== "config" || file === undefined) return { way: null, live: false, what: "" };

  const host = await openHost(file);
  if (!command.about.startsWith("store")) {
    const { live } = host.parts.settings.modes;
    return { way, host, live, what: `All stores · ${live ? "live and test mode" : "test mode"}` };
  }
  const store = await findStore(host, input);
  const named = `${store.name} (${store.store_id})`;
  if (command.about === "store")
    return {
      way,
      host,
      store,
      live: store.livemode,
      what: `${named} · ${modeName(store.livemode)}`,
    };

  const live = await sellsLive(host, store);
  return {
    way,
    host,
    store,
    live,
    what: `${named} · ${live ? "live and test mode" : "test mode"}`,
  };
}

/** A store without a live key can be reached in test mode alone. */
async function sellsLive({ parts, storefront }: Host, store: NamedStore): Promise<boolean> {
  if (!parts.settings.modes.live) return false;
  const keys = await storefront.owner.keys.list(store.store_id);
  return keys.some(({ livemode, revoked_at }) => livemode && revoked_at === null);
}

interface Given {
  readonly url: string | undefined;
  readonly file: string | undefined;
  /** True when `--config` names the file. */
  readonly named: boolean;
}

function chooseWay({ name, ways }: CommandRow, { url, file, named }: Given): Way | null {
  if (ways.length === 0) return null;
  const byUrl = ways.includes("url") && url !== undefined;
  const byConfig = ways.includes("config") && file !== undefined;
  if (byUrl && !(named && byConfig)) return "url";
  if (byConfig) return "config";

  const needs = {
    url: "the address of an API in --url, with a key in VITRINE_API_KEY",
    config: "the host itself: run it in the folder of vitrine.config.mjs, or name it with --config",
  };
  return end("usage", `vitrine ${name} needs ${ways.map((way) => needs[way]).join(", or ")}.`);
}

async function confirmChange(
  { changes, about }: CommandRow,
  { input, screen }: Start,
  { live }: Target,
  risk?: string,
): Promise<void> {
  if (!changes || input.flag("yes") || input.flag("dry-run")) return;
  if (!live && risk === undefined) return;

  const mode = about === "deployment" ? "This host serves live mode." : "This is live mode.";
  const where = [...(live ? [mode] : []), ...(risk === undefined ? [] : [risk])].join(" ");
  if (!screen.interactive) end("refused", `${where} ${changes}? Say so with --yes.`);
  const answer = await ask(`${where} ${changes}? [y/N] `);
  if (!/^y(es)?$/i.test(answer)) end("refused", "Nothing was done.");
}

/** Tells an error in a sentence, or as JSON. Gives the name of its exit code. */
function tell({ screen }: Start, command: CommandRow, error: unknown): ExitName {
  const { json, paint } = screen;
  const nameOf = (param: string): string => typedName(command, param);
  for (const line of failureLines(error, { json, paint: paint.bad, nameOf })) screen.note(line);
  return exitOf(error);
}

const missing = (what: string): never => {
  throw new Error(`This command has no ${what}: its row in the table says so.`);
};
