// Relays events to a topic of Kafka. A store's events have one key, so they stand in one partition in
// order; consumers drop a repeated one by its id.
import type { Producer } from "kafkajs";
import type { RelayOptions } from "vitrine/owner";

/** The producer is made with `kafka.producer({ idempotent: true, maxInFlightRequests: 1 })`. */
export const kafkaPublisher =
  (producer: Producer, topic = "vitrine"): RelayOptions["publish"] =>
  ({ id, type, store_id, livemode, body }) =>
    producer.send({
      topic,
      acks: -1,
      messages: [
        { key: `${store_id}:${livemode ? "live" : "test"}`, value: body, headers: { id, type } },
      ],
    });
