import { type Call, end } from "../../frame/command.ts";
import { resendToListeners } from "./resent.ts";

/** Sends an event once more: to the endpoints that had it, and to listeners of this folder. */
export async function run({ host, store, input, screen, folder }: Call): Promise<void> {
  const { owner } = host().storefront;
  const { store_id, livemode } = store();
  const event_id = input.argument(0) ?? "";
  const { payload } = await owner.events.retrieve({ store_id, livemode, id: event_id });
  if (!payload)
    return end("failed", "The event's bytes have been pruned: nothing is left to send.");

  const listeners = resendToListeners(folder, payload);
  const endpoint_id = input.text("endpoint");
  const deliveries = input.flag("listeners-only")
    ? []
    : (await owner.deliveries.list({ store_id, livemode, event_id, endpoint_id, limit: 100 })).data;
  for (const delivery of deliveries)
    await owner.deliveries.resend({
      store_id,
      livemode,
      event_id,
      endpoint_id: delivery.endpoint_id,
    });

  const resent = deliveries.map((delivery) => delivery.endpoint_id);
  if (resent.length + listeners === 0)
    end("failed", "No endpoint had this event, and no vitrine listen ran in this folder.");
  screen.result({ event_id, endpoints: resent, listeners }, () => [
    `Sent again with the next drain to ${resent.join(", ") || "no endpoint"},`,
    `and at once by ${listeners} listeners of this folder.`,
  ]);
}
