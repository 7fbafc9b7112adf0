// Relays events to a topic exchange of RabbitMQ. The broker confirms each message; consumers drop a
// repeated one by its message id.
import type { ConfirmChannel } from "amqplib";
import type { RelayOptions } from "vitrine/owner";

export async function rabbitPublisher(
  channel: ConfirmChannel,
  exchange = "vitrine",
): Promise<RelayOptions["publish"]> {
  await channel.assertExchange(exchange, "topic", { durable: true });

  return ({ id, type, store_id, livemode, body }) =>
    new Promise<void>((resolve, reject) => {
      const route = `${store_id}.${livemode ? "live" : "test"}.${type}`;
      const message = { messageId: id, type, contentType: "application/json", persistent: true };
      channel.publish(exchange, route, Buffer.from(body), message, (error) =>
        error ? reject(error) : resolve(),
      );
    });
}
