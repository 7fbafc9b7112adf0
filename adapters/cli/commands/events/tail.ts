import type { Call, ExitName } from "../../frame/command.ts";
import { pollEvents } from "./feed.ts";

/** Shows events as they are written, until Ctrl-C. */
export async function run(call: Call): Promise<ExitName> {
  const { input, screen } = call;
  const since = input.text("since");
  const types = input.list("types").flatMap((list) => list.split(","));
  const cursor = since === undefined || since === "start" ? null : since;

  for await (const { events } of pollEvents(call, { cursor, fromNow: since === undefined }))
    for (const event of events)
      if (types.length === 0 || types.includes(event.type))
        screen.item(
          event,
          () => `${event.created_at.slice(0, 19)}Z  #${event.sequence}  ${event.type}  ${event.id}`,
        );
  return "interrupted";
}
