import type { Call } from "../../frame/command.ts";
import { listAnswered, outcomeLine } from "./deliveries.ts";

/** Shows an event as receivers get it, with the state and the last answer of its deliveries. */
export async function run(call: Call): Promise<void> {
  const { host, store, input, screen } = call;
  const { store_id, livemode } = store();
  const id = input.argument(0) ?? "";
  const event = await host().storefront.owner.events.retrieve({ store_id, livemode, id });
  const { data } = await listAnswered(call, { event_id: id, limit: 100 });

  screen.result({ ...event, deliveries: data }, () => [
    event.payload ? JSON.stringify(event.payload, null, 2) : "Its bytes have been pruned.",
    "",
    ...(data.length === 0
      ? ["No endpoint was to get it."]
      : data.flatMap((delivery) => [delivery.endpoint_id, outcomeLine(delivery)])),
  ]);
}
