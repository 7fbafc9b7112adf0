import type { Storefront } from "vitrine";
import { read, type Visited } from "./checkout-visit.ts";

/** The page of a buyer, in a browser of its own that keeps the page's cookie. */
export function customerBrowser({ customerPage }: Storefront, base: string, language = "pt-BR") {
  let cookie = "";

  const ask = async (path: string, init: RequestInit = {}): Promise<Visited> => {
    const request = new Request(path.startsWith("http") ? path : `${base}${path}`, {
      ...init,
      headers: { "accept-language": language, ...(cookie && { cookie }), ...init.headers },
    });
    const answer = await customerPage.handler(request);
    const set = answer.headers.get("set-cookie");
    if (set !== null) cookie = /Max-Age=0/.test(set) ? "" : (set.split(";", 1)[0] ?? "");
    return read(answer);
  };

  const post = (path: string, fields: Record<string, string>, headers: HeadersInit = own) =>
    ask(path, { method: "POST", headers, body: new URLSearchParams(fields) });

  return {
    get: (path = "") => ask(path),
    post,
    /** Presses the button of the form that leads to this path, on the page at `from`. */
    async press(path: string, from = "", headers: HeadersInit = own) {
      return post(path, { token: tokenOf((await ask(from)).html, path) }, headers);
    },
    cookie: () => cookie,
    setCookie(value: string) {
      cookie = value;
    },
  };
}

export type CustomerBrowser = ReturnType<typeof customerBrowser>;

const own = { "sec-fetch-site": "same-origin" };

/** Gives the token of the form that leads to a path. */
export function tokenOf(html: string, path: string): string {
  const [, token = ""] =
    new RegExp(`action="[^"]*${path}">\\s*<input type="hidden" name="token" value="([^"]+)"`).exec(
      html,
    ) ?? [];
  return token;
}
