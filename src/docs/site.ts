import { html } from "../contract/html.ts";
import type { OpenApiDocument } from "../contract/openapi/openapi.ts";
import { primary } from "../domain/text/choose-language.ts";
import { renderFirstPage } from "./first-page.ts";
import { chooseDocsLanguage, type DocsLanguage, isDocsLanguage, speakerOf } from "./language.ts";
import { renderPage } from "./page.ts";
import { type Page, pagesOf } from "./pages.ts";
import type { Reading } from "./reading.ts";
import { searchIndex } from "./search-index.ts";

/** The parts of a request that choose the page. */
export interface PageRequest {
  /** The path below the API: `/docs`, or `/docs/` and the name of a page. */
  readonly path: string;
  /** The query parameter `lang`, which goes before the header. */
  readonly lang: string | undefined;
  /** The header `Accept-Language`. */
  readonly accepted: string | undefined;
}

/** A page that exists. */
export interface FoundDocument {
  /** The same for all requests that are answered with the same bytes. */
  readonly key: string;
  readonly type: "html" | "json";
  readonly render: () => string;
}

export interface Site {
  readonly document: OpenApiDocument;
  /** The version of the style sheet and the script, for their addresses. */
  readonly assetVersion: string;
}

const searchPath = "/docs/search.json";

/** Finds what a request asks for. Gives null when there is no such page. */
export function findDocument(site: Site, request: PageRequest): FoundDocument | null {
  const { path, accepted } = request;
  // `pt-BR` is Portuguese too.
  const chosen = primary(request.lang ?? "");
  const isChosen = isDocsLanguage(chosen);
  const language = isChosen ? chosen : languageOf(accepted);
  const reading: Reading = {
    document: site.document,
    language,
    words: speakerOf(language),
    toApi: path === "/docs" ? "" : "../",
    query: isChosen ? `?lang=${language}` : "",
  };
  const pages = pagesOf(reading);
  const key = `${path} ${language} ${isChosen}`;
  if (path === searchPath)
    return { key, type: "json", render: () => JSON.stringify(searchIndex(pages)) };

  const page =
    path === "/docs"
      ? firstPage(reading, pages)
      : pages.find(({ slug }) => path === `/docs/${slug}`);
  if (!page) return null;
  const render = () => renderPage({ reading, page, pages, assetVersion: site.assetVersion });
  return { key, type: "html", render };
}

function languageOf(accepted: string | undefined): DocsLanguage {
  const { lang } = chooseDocsLanguage(accepted, null);
  return isDocsLanguage(lang) ? lang : "en";
}

const firstPage = (reading: Reading, pages: readonly Page[]): Page => ({
  slug: "",
  title: reading.words.say("api_title"),
  group: "reference",
  oldAnchor: null,
  lead: () => html`${renderFirstPage(reading, pages)}`,
  places: [],
  hasSamples: false,
});
