import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WebhookEvent } from "#core/client/types.ts";
import { readState, stateFolder, writeState } from "../../frame/files/state-folder.ts";
import { type ListenerState, listenerPrefix } from "./listener.ts";

const resentPrefix = "resend-";

/** Hands an event to every listener of this folder for its store and mode. Counts them. */
export function resendToListeners(folder: string, event: WebhookEvent): number {
  const names = filesOf(folder).filter((name) => name.startsWith(listenerPrefix));
  const fitting = names.filter((name) => {
    const state = readState<ListenerState>(folder, name);
    return state?.store_id === event.store_id && state.livemode === event.livemode;
  });
  for (const name of fitting)
    writeState(folder, `${resentPrefix}${name}-${event.id}-${Date.now()}`, event);
  return fitting.length;
}

/** Lists the files of the events that were handed to a listener. */
export const resentFiles = (folder: string, listener: string): readonly string[] =>
  filesOf(folder).filter((name) => name.startsWith(`${resentPrefix}${listener}-`));

/** Takes the events of these files. A file goes once its event was sent. */
export function* takeResent(folder: string, names: readonly string[]): Generator<WebhookEvent> {
  for (const name of names) {
    const event = readState<WebhookEvent>(folder, name);
    if (event) yield event;
    rmSync(join(stateFolder(folder), name), { force: true });
  }
}

const filesOf = (folder: string): readonly string[] =>
  existsSync(stateFolder(folder)) ? readdirSync(stateFolder(folder)).sort() : [];
