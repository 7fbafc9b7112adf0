import { invalidOption } from "../../input/option-error.ts";
import type { StorefrontOptions } from "../../options.ts";
import type { CustomerPageOptions } from "../../pages/customer/options.ts";
import { readWebUrl } from "./read-web-url.ts";

/** Gives null where the host has no such page. */
export function readCustomerPage({ customerPage }: StorefrontOptions): CustomerPageOptions | null {
  if (!customerPage) return null;

  const baseUrl = readWebUrl("customerPage.baseUrl", customerPage.baseUrl);
  if (new URL(baseUrl).pathname === "/") invalidOption("customerPage.baseUrl", "must have a path");
  return { ...customerPage, baseUrl };
}
