import { type Html, html } from "../contract/html.ts";
import type { OpenApiDocument } from "../contract/openapi/openapi.ts";
import type { Speaker } from "../domain/text/choose-language.ts";
import type { DocsLanguage, DocsText } from "./language.ts";

/** What every part of a page needs to know: of what it tells, to whom, and from where. */
export interface Reading {
  readonly document: OpenApiDocument;
  readonly language: DocsLanguage;
  readonly words: Speaker<DocsText>;
  /**
   * The relative path from the page to the API: `""` for `/docs` and `../`
   * for a page below it.
   */
  readonly toApi: string;
  /** The query of links to other pages: `?lang=pt` where the address chose the language. */
  readonly query: string;
}

/** The name of a page in its address. The first page has none. */
export type Slug = string;

/** Gives the address of a page of the documents, or of a place on it, for a link. */
export function hrefOf({ toApi, query }: Reading, slug: Slug, anchor = ""): string {
  const page = slug === "" ? "docs" : `docs/${slug}`;
  return `${toApi}${page}${query}${anchor === "" ? "" : `#${anchor}`}`;
}

/** Marks a part that is English in every language. */
export const inEnglish = ({ language }: Reading, part: Html | null): Html | null =>
  part === null || language === "en" ? part : html`<span lang="en">${part}</span>`;

/** Marks blocks that are English in every language. */
export const blocksInEnglish = ({ language }: Reading, part: Html): Html =>
  language === "en" ? part : html`<div lang="en">${part}</div>`;

/** Gives the text that stands in the place of the contract's own English one. */
export const told = (
  { language }: Reading,
  portuguese: Readonly<Partial<Record<string, string>>>,
  name: string,
): string | undefined => (language === "pt" ? portuguese[name] : undefined);
