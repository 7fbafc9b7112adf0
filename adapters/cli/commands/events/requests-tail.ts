import { setTimeout as sleep } from "node:timers/promises";
import type { OwnerRequest } from "#core/owner/requests.ts";
import type { Call, ExitName } from "../../frame/command.ts";

const everyMs = 1_000;

/** Shows requests to the API as they are answered, until Ctrl-C. */
export async function run(call: Call): Promise<ExitName> {
  const { screen, signal, host } = call;
  if (!host().parts.settings.requestLog)
    screen.note("This host keeps no request log: set `requestLog: {}` in createStorefront.");

  const seen = new Set((await newest(call)).map(({ id }) => id));
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => {});
    for (const request of [...(await newest(call))].reverse()) {
      if (seen.has(request.id)) continue;
      seen.add(request.id);
      screen.item(request, () => lineOf(request, screen.paint));
    }
  }
  return "interrupted";
}

async function newest({ host, store, input }: Call): Promise<readonly OwnerRequest[]> {
  const { store_id, livemode } = store();
  const status = input.number("status", 200, 599);
  const { requests } = host().storefront.owner;
  return (await requests.list({ store_id, livemode, limit: 100, ...(status && { status }) })).data;
}

function lineOf(request: OwnerRequest, paint: Call["screen"]["paint"]): string {
  const { created_at, route, status, code, duration_ms, id } = request;
  const shown = status < 400 ? paint.good(String(status)) : paint.bad(String(status));
  const what = [route ?? "no route", code].filter(Boolean).join("  ");
  return `${created_at.slice(11, 19)}  ${shown}  ${Math.round(duration_ms)} ms  ${what}  ${id}`;
}
