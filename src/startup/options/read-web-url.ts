import { parseUrl } from "../../domain/parse-url.ts";
import { isSafeTransport } from "../../domain/url-rules.ts";
import { invalidOption } from "../../input/option-error.ts";

/**
 * Takes https anywhere and http on this machine; gives the address without a slash
 * at its end.
 */
export function readWebUrl(name: string, value: string): string {
  const url = parseUrl(value);
  if (!url || !isSafeTransport(url) || url.search !== "" || url.hash !== "" || url.username !== "")
    return invalidOption(
      name,
      "must be an absolute https URL (http on localhost) without query and fragment",
    );
  return url.href.replace(/\/+$/, "");
}
