// Relays events to a Redis stream for each store. An id that was added within the last ten minutes
// is not added again.
import type { Redis } from "ioredis";
import type { RelayOptions } from "vitrine/owner";

const addOnce = `
  if not redis.call("set", KEYS[2], 1, "NX", "EX", 600) then return false end
  return redis.call("xadd", KEYS[1], "*", "id", ARGV[1], "type", ARGV[2], "body", ARGV[3])`;

export const redisPublisher =
  (redis: Redis): RelayOptions["publish"] =>
  ({ id, type, store_id, livemode, body }) => {
    // The braces keep both keys in one slot of a Redis cluster.
    const stream = `events:{${store_id}:${livemode ? "live" : "test"}}`;
    return redis.eval(addOnce, 2, stream, `${stream}:${id}`, id, type, body);
  };
