import { headers } from "next/headers";
import { createClient } from "vitrine/client";
import { storefront } from "./shop.ts";

/** Calls the API in this process, without a socket, for the buyer whose request Next.js answers. */
export async function client() {
  const { handler } = await storefront();
  // The checkout limit counts the buyer's address: without it all buyers share one limit.
  const name = process.env["CLIENT_IP_HEADER"];
  const ip = name ? (await headers()).get(name) : null;

  return createClient({
    baseUrl: `${process.env["PUBLIC_URL"]}/v1`,
    key: process.env["SHOP_KEY"] ?? "",
    fetch: (url, init) => handler(new Request(url, init), ip ? { ip } : {}),
  });
}
