import type { Call } from "../../frame/command.ts";
import { tableLines } from "../../frame/table-lines.ts";

/** Shows an event as receivers get it, with the state of its deliveries. */
export async function run({ host, store, input, screen }: Call): Promise<void> {
  const { owner } = host().storefront;
  const { store_id, livemode } = store();
  const id = input.argument(0) ?? "";
  const event = await owner.events.retrieve({ store_id, livemode, id });
  const { data } = await owner.deliveries.list({ store_id, livemode, event_id: id, limit: 100 });

  screen.result({ ...event, deliveries: data }, () => [
    event.payload ? JSON.stringify(event.payload, null, 2) : "Its bytes have been pruned.",
    "",
    ...(data.length === 0
      ? ["No endpoint was to get it."]
      : tableLines(
          data,
          [
            { title: "endpoint", whole: true, value: ({ endpoint_id }) => endpoint_id },
            { title: "state", value: ({ state }) => state },
            { title: "attempts", value: ({ attempts }) => String(attempts) },
            { title: "next", value: ({ next_attempt_at }) => next_attempt_at ?? "-" },
          ],
          screen,
        )),
  ]);
}
