import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { toExpress } from "vitrine/express";
import { openDashboard } from "./dashboard.ts";
import { release } from "./release.ts";
import { readEnvironment, type Settings } from "./settings.ts";
import { openShop, type Shop } from "./shop.ts";

const maintenanceEveryMs = 60_000;

async function main(): Promise<void> {
  const settings = readEnvironment();
  const shop = await openShop(settings);
  const server = createServer(createApp(shop, settings)).listen(settings.port);
  await once(server, "listening");
  console.log(`Listening on port ${(server.address() as AddressInfo).port}`);

  const stop = new AbortController();
  const work = startWork(shop, stop.signal);
  const end = async (): Promise<void> => {
    // Requests are answered and deliveries are written before the database closes.
    stop.abort();
    server.close();
    server.closeIdleConnections();
    await Promise.all([once(server, "close"), work]);
    await shop.close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
}

function createApp({ storefront }: Shop, settings: Settings): express.Express {
  const app = express();
  app.use(toExpress(storefront));
  app.use(toExpress(storefront.notifications));
  app.use(toExpress(storefront.checkoutPage));
  app.use(toExpress(openDashboard(storefront, settings)));
  app.get("/thanks", (_request, response) => void response.send("Thank you for your order."));
  return app;
}

/** Sends webhooks, releases orders and runs maintenance until the signal aborts. */
async function startWork({ storefront }: Shop, signal: AbortSignal): Promise<void> {
  let maintenance: Promise<unknown> = Promise.resolve();
  const maintain = (): void => {
    maintenance = storefront.runMaintenance({ signal }).catch(console.error);
  };
  const timer = setInterval(maintain, maintenanceEveryMs);
  await Promise.all([
    storefront.runWebhookLoop({ signal }),
    storefront.consumeEvents({ consumer: "release", types: ["order.paid"], signal }, release),
  ]);
  clearInterval(timer);
  await maintenance;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
