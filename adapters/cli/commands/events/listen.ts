import { setTimeout as sleep } from "node:timers/promises";
import type { WebhookEvent } from "#core/client/types.ts";
import { type Call, type ExitName, end } from "../../frame/command.ts";
import { pollEvents } from "./feed.ts";
import { type Forwarded, forward, openListener } from "./listener.ts";
import { resentFiles, takeResent } from "./resent.ts";

type Listener = ReturnType<typeof openListener>;

/** Forwards events to an address of this machine or another, until Ctrl-C. */
export async function run(call: Call): Promise<ExitName> {
  const { input, screen, folder } = call;
  const api = call.api();
  const target = readTarget(input.text("forward-to") ?? "");
  const listener = openListener(folder, api, target);
  const types = input.list("types").flatMap((list) => list.split(","));

  const since = input.text("since");
  if (since !== undefined) listener.moveTo(since === "start" ? null : since);
  const fromNow = listener.isNew && since === undefined;
  screen.note(`Forwarding to ${target}. Your signing secret: ${listener.state().secret}`);
  screen.note("Ctrl-C ends it. The next run goes on where this one stopped.");

  const { cursor = null } = listener.state();
  let isReady = false;
  let resent = resentFiles(folder, listener.name);
  for await (const page of pollEvents(call, { cursor, fromNow })) {
    for (const event of page.events) {
      const wanted = types.length === 0 || types.includes(event.type);
      if (wanted && !(await untilAccepted(call, listener, event))) return "interrupted";
      listener.moveTo(event.id);
    }
    if (page.cursor !== listener.state().cursor) listener.moveTo(page.cursor);
    // What was handed over before the page was read has been forwarded once by now, in its order.
    if (page.isLast)
      for (const event of takeResent(folder, resent))
        if (!(await untilAccepted(call, listener, event))) return "interrupted";
    if (!isReady) screen.note("Ready.");
    isReady = true;
    resent = resentFiles(folder, listener.name);
  }
  return "interrupted";
}

function readTarget(target: string): string {
  if (URL.canParse(target) && /^https?:$/.test(new URL(target).protocol)) return target;
  return end("usage", "--forward-to must be an address such as http://localhost:3000/hook.");
}

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/** Tries until the target answers with 2xx. Gives false when Ctrl-C ended it before. */
async function untilAccepted(
  { screen, signal }: Call,
  listener: Listener,
  event: WebhookEvent,
): Promise<boolean> {
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const sent = await forward(event, listener.state(), { attempt, signal });
    if (signal.aborted && sent.status === null) return false;

    const accepted = sent.status !== null && sent.status >= 200 && sent.status < 300;
    const line = lineOf(event, sent, screen.paint[accepted ? "good" : "bad"]);
    screen.item({ event: event.id, type: event.type, attempt, ...sent }, () => line);
    if (accepted) return true;

    const waitMs = Math.min(firstWaitMs * 2 ** (attempt - 1), longestWaitMs);
    await sleep(waitMs, undefined, { signal }).catch(() => {});
  }
  return false;
}

function lineOf(
  { id, type, sequence }: WebhookEvent,
  { status, ms }: Forwarded,
  paint: (text: string) => string,
): string {
  const time = new Date().toTimeString().slice(0, 8);
  return `${time}  ${paint(String(status ?? "no answer"))}  ${ms} ms  ${type}  #${sequence} ${id}`;
}
