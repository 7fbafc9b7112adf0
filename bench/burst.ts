import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { memoryStorage, type Storage } from "vitrine";
import { createDashboard } from "vitrine/dashboard";
import { toNode } from "vitrine/node";
import { sqliteStorage } from "vitrine/sqlite";
import { createShop, where } from "./dashboard/shop.ts";

const count = Number(process.argv[2] ?? 200);

/**
 * Opens the overview of a dashboard by many connections at once, and prints the
 * longest time for which the event loop stood still, and the processor's time for
 * one page. Run it by `npx tsx bench/burst.ts 200`.
 */
async function burst(name: string, storage: Storage): Promise<void> {
  const { storefront, clock } = await createShop(storage);
  await storefront.owner.stores.update(where.store_id, { timezone: "America/Sao_Paulo" });
  clock.now = Date.now();
  const dashboard = createDashboard(storefront, {
    path: "/dashboard",
    authorize: () => ({ actor: "ana", stores: "all", access: "all" }),
  });
  const server = createServer(toNode(dashboard));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const head = `GET /dashboard/${where.store_id}/test?days=90 HTTP/1.1\r\nhost: a\r\n\r\n`;

  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      return socket;
    }),
  );
  const ask = async (socket: (typeof sockets)[number]): Promise<void> => {
    socket.write(head);
    const [first] = await once(socket, "data");
    if (!`${first}`.startsWith("HTTP/1.1 200")) throw new Error(`${first}`.slice(0, 200));
    socket.resume();
  };
  for (const socket of sockets.slice(0, 10)) await ask(socket);

  const gaps = monitorEventLoopDelay({ resolution: 1 });
  gaps.enable();
  const begun = process.cpuUsage();
  await Promise.all(sockets.map(ask));
  const { user, system } = process.cpuUsage(begun);
  gaps.disable();

  const page = (user + system) / 1_000 / count;
  const gap = Math.round(gaps.max / 1e6);
  console.log(`${name}: longest gap ${gap} ms, ${page.toFixed(1)} ms of processor time a page`);
  for (const socket of sockets) socket.destroy();
  server.close();
}

await burst("memory", memoryStorage());
const storage = sqliteStorage(":memory:");
await burst("SQLite", storage);
await storage.close();
