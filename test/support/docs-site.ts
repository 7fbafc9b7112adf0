import type { Storefront } from "vitrine";
import { textOf } from "./reply-text.ts";

interface DocsReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Asks a storefront for its documents, by paths below the API. */
export interface DocsSite {
  page(path: string, accepted?: string, tag?: string): Promise<DocsReply>;
  /** Gives the path of every page that the contents of the first one lead to, that one too. */
  paths(): Promise<readonly string[]>;
}

export function docsSite(storefront: Storefront, base = "/v1"): DocsSite {
  const ask = async (path: string, accepted?: string, tag?: string): Promise<DocsReply> => {
    const headers: Record<string, string | undefined> = {
      "accept-language": accepted,
      "if-none-match": tag,
    };
    const reply = await storefront.serve({
      method: "GET",
      target: `${base}${path}`,
      header: (name) => headers[name],
      body: async () => null,
    });
    const body = (await textOf(reply?.body ?? null)) ?? "";
    return { status: reply?.status ?? 0, headers: reply?.headers ?? {}, body };
  };
  const paths = async (): Promise<readonly string[]> => {
    const [, contents = ""] =
      /<nav[\s\S]*?class="contents">([\s\S]*?)<\/nav>/.exec((await ask("/docs")).body) ?? [];
    const hrefs = [...contents.matchAll(/href="([^"#]+)"/g)].map(([, href]) => `/${href}`);
    return ["/docs", ...hrefs];
  };
  return { page: ask, paths };
}

/** Gives the anchors of a page's places, in their order. */
export const placesOf = (page: string): readonly string[] =>
  [...page.matchAll(/<article class="\w+" id="([^"]+)">/g)].map(([, id = ""]) => id);
