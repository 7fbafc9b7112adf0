import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Call, type ExitName, end } from "../../frame/command.ts";
import { recordLines } from "../../frame/table-lines.ts";

/** Serves a shop with the whole flow from memory, for pages that are being built. */
export async function run({ input, screen, signal }: Call): Promise<ExitName> {
  const server = createServer();
  server.listen(input.number("port") ?? 4242, "127.0.0.1");
  await once(server, "listening").catch((error: Error) => end("failed", error.message));
  const { port } = server.address() as AddressInfo;
  const origin = `http://localhost:${port}`;

  const { storefront, seeded } = await openMock(origin);
  const { toNode } = await import("vitrine/node");
  const [api, pages] = [toNode(storefront), toNode(storefront.checkoutPage)];
  server.on("request", (request, response) =>
    api(request, response, () =>
      pages(request, response, () => {
        const isThanks = request.url?.startsWith("/thanks") ?? false;
        response.writeHead(isThanks ? 200 : 404, { "content-type": "text/plain" });
        response.end(isThanks ? "Thank you for your order." : "Not found.");
      }),
    ),
  );

  const shown = { url: `${origin}/v1`, docs: `${origin}/v1/docs`, ...seeded };
  screen.item(shown, () => [...recordLines(shown), "", "Ctrl-C ends it."].join("\n"));
  const maintaining = setInterval(() => void storefront.runMaintenance({ signal }), 60_000);
  await new Promise((done) => signal.addEventListener("abort", done, { once: true }));
  clearInterval(maintaining);
  server.closeAllConnections();
  server.close();
  await storefront.close();
  return "interrupted";
}

async function openMock(origin: string) {
  const { createStorefront, memoryStorage, sandboxGateway } = await import("vitrine");
  const storefront = createStorefront({
    storage: memoryStorage(),
    publicUrl: origin,
    modes: ["test"],
    gateways: [sandboxGateway()],
    sealKey: randomBytes(32),
  });
  const { owner } = storefront;
  const currency = "BRL";
  const store = await owner.stores.create({
    name: "Armazém",
    currency,
    headless_enabled: true,
    localhost_origins: true,
    return_urls: [`${origin}/thanks`],
    payment_methods: [
      { type: "card", name: "Card", currencies: [currency], gateway: "sandbox" },
      { type: "pix", name: "Pix", currencies: [currency], gateway: "sandbox" },
    ],
  });
  const coffee = await owner.categories.create(store.id, { name: "Coffee" });
  for (const [name, price] of [
    ["Coffee", 3450],
    ["Grinder", 28_900],
    ["Cup", 4_200],
  ] as const)
    await owner.products.create(store.id, { name, price, currency, category_ids: [coffee.id] });

  const where = { store_id: store.id, livemode: false };
  const publishable = await owner.keys.create({ ...where, kind: "publishable" });
  const secret = await owner.keys.create({ ...where, kind: "secret" });
  const seeded = { publishable_key: publishable.key, secret_key: secret.key };
  return { storefront, seeded };
}
