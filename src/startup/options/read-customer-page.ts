import { invalidOption } from "../../input/option-error.ts";
import type { StorefrontOptions } from "../../options.ts";
import type { CustomerPageOptions } from "../../pages/customer/options.ts";
import { customerTextValues } from "../../pages/customer/texts/text-names.ts";
import { checkTexts } from "../../pages/texts/check-texts.ts";
import { readWebUrl } from "./read-web-url.ts";

/** Gives null where the host has no such page. */
export function readCustomerPage({ customerPage }: StorefrontOptions): CustomerPageOptions | null {
  if (!customerPage) return null;

  const baseUrl = readWebUrl("customerPage.baseUrl", customerPage.baseUrl);
  if (new URL(baseUrl).pathname === "/") invalidOption("customerPage.baseUrl", "must have a path");
  const { texts = {} } = customerPage;
  checkTexts(texts, {
    option: "customerPage.texts",
    values: customerTextValues,
    guide: "docs/customer-page.md",
  });
  return { ...customerPage, baseUrl };
}
