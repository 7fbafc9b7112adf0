import { createClient } from "vitrine/client";
import { storefront } from "./shop.ts";

/** Calls the API in this process, without a socket. */
export async function client() {
  const { handler } = await storefront();
  return createClient({
    baseUrl: `${process.env["PUBLIC_URL"]}/v1`,
    key: process.env["SHOP_KEY"] ?? "",
    fetch: (url, init) => handler(new Request(url, init)),
  });
}
