import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStorefront, type Storefront } from "vitrine";
import { natsPublisher } from "vitrine/nats";
import { postgresStorage } from "vitrine/postgres";
import { startSeed } from "../attack/seed.ts";
import { forkable } from "../support/bundle.ts";
import { type NatsServer, startNats } from "../support/nats.ts";
import { postgresUrl } from "../support/postgres-url.ts";

// The long form: RELAY_EVENTS=100000 RELAY_STORES=200 RELAY_KILLS=1000.
const eventCount = Number(process.env["RELAY_EVENTS"] ?? 12_000);
const storeCount = Number(process.env["RELAY_STORES"] ?? 40);
/** Each kill holds up the stores of a relay for half a minute, so the short form has few. */
const mostKills = Number(process.env["RELAY_KILLS"] ?? 8);
const workerCount = 3;
const tenMinutesInNs = 600e9;
const event = {
  id: "evt_1",
  type: "order.paid",
  store_id: "str_1",
  livemode: true,
  sequence: 1,
  created_at: "2026-01-01T00:00:00.000Z",
  body: '{"id":"evt_1"}',
} as const;

describe("a broker", () => {
  let server: NatsServer;
  let connection: NatsConnection;
  beforeAll(async () => {
    server = await startNats();
    connection = await connectTo(server);
  });
  afterAll(async () => {
    await connection?.close();
    await server?.stop();
  });

  test("an event stands in the stream under its store, mode and type; a repeated one is dropped", async () => {
    const manager = await jetstreamManager(connection);
    await manager.streams.add({
      name: "ONE",
      subjects: ["one.>"],
      duplicate_window: tenMinutesInNs,
    });
    const publish = natsPublisher(jetstream(connection), { prefix: "one" });
    const { signal } = new AbortController();
    await publish({ ...event, store_id: "a.b *>" }, signal);
    await publish({ ...event, store_id: "a.b *>" }, signal);

    expect((await manager.streams.info("ONE")).state.messages).toBe(1);
    const stored = await manager.streams.getMessage("ONE", { seq: 1 });
    expect(stored?.subject).toBe("one.a%2Eb%20%2A%3E.live.order.paid");
    expect(stored?.string()).toBe(event.body);
    expect(stored?.header.get("Nats-Msg-Id")).toBe(event.id);
  });

  test("a stream that is missing, takes a part of the subjects or forgets ids early is told", async () => {
    const manager = await jetstreamManager(connection);
    const warnings: string[] = [];
    const publish = natsPublisher(jetstream(connection), {
      prefix: "two",
      onWarning: (message) => void warnings.push(message),
    });
    const { signal } = new AbortController();
    await expect(publish(event, signal)).rejects.toThrow(/no stream for two\.>.*nats stream add/s);

    await manager.streams.add({ name: "TWO", subjects: ["two.str_1.>"] });
    await expect(publish(event, signal)).rejects.toThrow(/TWO does not take every subject/);

    await manager.streams.update("TWO", { subjects: ["two.>"] });
    await publish(event, signal);
    await publish({ ...event, id: "evt_2" }, signal);
    expect(warnings).toEqual([expect.stringMatching(/TWO forgets .* after 120 s.*10 minutes/)]);
    expect(() => natsPublisher(jetstream(connection), { prefix: "a.*" })).toThrow(/prefix/);
    expect(() => natsPublisher(connection as never)).toThrow(/takes jetstream\(connection\)/);
  });

  test("relays and the broker are killed at random: each event stands once in the stream, in its store's order", async () => {
    console.log(`${eventCount} events of ${storeCount} stores`);
    const databaseUrl = await postgresUrl();
    const schema = `relay_${process.pid}`;
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    const storefront = createStorefront({
      storage: postgresStorage(pool, { schema }),
      checkout: { baseUrl: "https://pay.example.com/c" },
      docsUrl: "https://docs.example.com/errors",
      sealKey: new Uint8Array(32).fill(3),
    });
    await storefront.migrate();
    await fillEvents(pool, schema);
    const manager = await jetstreamManager(connection);
    await manager.streams.add({
      name: "SHOP",
      subjects: ["shop.>"],
      duplicate_window: tenMinutesInNs,
    });

    const start = await forkable("test/broker/relay-worker.ts");
    const startRelay = () => start([databaseUrl, schema, String(server.port)]);
    const relays = Array.from({ length: workerCount }, startRelay);
    const kills = await killUntilDone({ storefront, server, relays, startRelay });
    await Promise.all(relays.map(kill));
    await pool.query(`drop schema ${schema} cascade`);
    await pool.end();

    console.log(`${kills.relays} relays and ${kills.brokers} brokers were killed`);
    expect(kills.relays).toBeGreaterThan(0);
    expect(kills.brokers).toBeGreaterThan(0);
    await checkStream(connection);
  }, 1_200_000);
});

const connectTo = ({ port }: NatsServer): Promise<NatsConnection> =>
  connect({ servers: `127.0.0.1:${port}`, maxReconnectAttempts: -1, reconnectTimeWait: 50 });

async function fillEvents(pool: pg.Pool, schema: string): Promise<void> {
  const each = eventCount / storeCount;
  await pool.query(`insert into ${schema}.counters (store_id, livemode, order_number, sequence)
    select 'str_' || s, 0, 0, ${each} from generate_series(1, ${storeCount}) s`);
  await pool.query(`insert into ${schema}.events
      (store_id, livemode, id, sequence, type, created_at, body)
    select 'str_' || s, 0, 'evt_' || s || '_' || n, n, 'order.paid', 1, '{"sequence":' || n || '}'
    from generate_series(1, ${storeCount}) s, generate_series(1, ${each}) n`);
}

interface Killing {
  readonly storefront: Storefront;
  readonly server: NatsServer;
  readonly relays: ChildProcess[];
  readonly startRelay: () => ChildProcess;
}

/** Kills the broker first and every fourth time, else a relay, until no event waits. */
async function killUntilDone({ storefront, server, relays, startRelay }: Killing) {
  const random = startSeed("relay");
  const kills = { relays: 0, brokers: 0 };

  for (let time = 1; ; time++) {
    await pause(200 + random() * 500);
    const { events } = await storefront.eventLag({ consumer: "nats" });
    if (events === 0) return kills;
    if (time > mostKills) continue;

    if (time % 4 === 1) {
      await server.crash();
      kills.brokers += 1;
    } else {
      const victim = Math.floor(random() * relays.length);
      await kill(relays[victim]);
      relays[victim] = startRelay();
      kills.relays += 1;
    }
  }
}

async function kill(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Reads the whole stream and compares it with what was written. */
async function checkStream(connection: NatsConnection): Promise<void> {
  const consumer = await jetstream(connection).consumers.get("SHOP");
  const last = new Map<string, number>();
  let count = 0;

  for await (const message of await consumer.consume()) {
    const store = message.subject.split(".")[1] ?? "";
    const { sequence } = message.json<{ sequence: number }>();
    expect(sequence, `the next event of ${store}`).toBe((last.get(store) ?? 0) + 1);
    last.set(store, sequence);
    count += 1;
    if (message.info.pending === 0) break;
  }
  expect(count).toBe(eventCount);
  expect(last.size).toBe(storeCount);
}
