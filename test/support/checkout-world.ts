import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { toNode } from "vitrine/node";
import { renderProductImage } from "../../examples/demo/images.ts";
import { type CheckoutShop, type CheckoutShopOptions, openCheckoutShop } from "./checkout-shop.ts";

const pem = (name: string): Buffer =>
  readFileSync(resolve(import.meta.dirname, "../fixtures/tls", name));

async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer({ key: pem("good.key"), cert: pem("good.pem") }, listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const originOf = (server: Server, host: string): string =>
  `https://${host}:${(server.address() as AddressInfo).port}`;

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${body}</main>`;

export interface CheckoutWorld {
  readonly shop: CheckoutShop;
  /** The origin of the provider's page and of the products' pictures. */
  readonly provider: string;
  /** What the provider's host was asked for. */
  readonly foreign: readonly IncomingMessage[];
  close(): Promise<void>;
}

/**
 * Puts the checkout page and the store's own pages on one https origin, and the
 * provider's page and the pictures on another.
 */
export async function openCheckoutWorld(options: CheckoutShopOptions = {}): Promise<CheckoutWorld> {
  const foreign: IncomingMessage[] = [];
  const bank = await listen((req, res) => {
    foreign.push(req);
    const { pathname, searchParams } = new URL(req.url ?? "/", "https://bank.example");
    const [, slug = ""] = /^\/([a-z-]+)\.svg$/.exec(pathname) ?? [];
    if (slug !== "") {
      res.writeHead(200, { "content-type": "image/svg+xml" });
      return void res.end(renderProductImage(slug));
    }
    const back = (searchParams.get("back") ?? "").replaceAll('"', "");
    res.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    res.end(page("The bank", `<a href="${back}">Back to the store</a>`));
  });

  let serve: RequestListener = (_req, res) => void res.end();
  const own = await listen((req, res) => serve(req, res));
  const origin = originOf(own, "localhost");
  const provider = originOf(bank, "127.0.0.1");
  const shop = await openCheckoutShop({ ...options, origin, provider, pictures: provider });
  const checkout = toNode(shop.storefront.checkoutPage);
  serve = (req, res) =>
    checkout(req, res, () => {
      res.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      res.end(page(req.url?.startsWith("/thanks") ? "Thank you" : "Your cart", ""));
    });

  return {
    shop,
    provider,
    foreign,
    async close() {
      for (const server of [own, bank]) {
        server.close();
        server.closeAllConnections();
      }
      await shop.storefront.close();
    },
  };
}
