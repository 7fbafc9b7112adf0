// Relays events to NATS JetStream until the process is told to end.
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import type { Storefront } from "vitrine";
import { natsPublisher } from "vitrine/nats";

export async function relayToNats(storefront: Storefront, signal: AbortSignal): Promise<void> {
  const connection = await connect({
    servers: process.env["NATS_URL"] ?? "127.0.0.1:4222",
    maxReconnectAttempts: -1,
  });

  await storefront.relayEvents({
    consumer: "nats",
    publish: natsPublisher(jetstream(connection), { prefix: "shop" }),
    signal,
  });
  await connection.drain();
}
