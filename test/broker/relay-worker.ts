// A process of a platform that relays events to NATS until it is killed.
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import pg from "pg";
import { createStorefront } from "vitrine";
import { natsPublisher } from "vitrine/nats";
import { postgresStorage } from "vitrine/postgres";

const [databaseUrl = "", schema = "", natsPort = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 });
pool.on("error", () => {});
const storefront = createStorefront({
  storage: postgresStorage(pool, { schema }),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  // A broker that is away is what the test brings about.
  onError() {},
});

const connection = await connect({
  servers: `127.0.0.1:${natsPort}`,
  maxReconnectAttempts: -1,
  reconnectTimeWait: 50,
  waitOnFirstConnect: true,
});
process.send?.({ ready: true });
await storefront.relayEvents({
  consumer: "nats",
  publish: natsPublisher(jetstream(connection), { prefix: "shop", timeoutMs: 2_000 }),
  signal: new AbortController().signal,
});
