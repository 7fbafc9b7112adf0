import type { Page } from "./pages.ts";

/** What the search knows of a page: its places, each with the words of its text. */
interface FoundPage {
  readonly slug: string;
  readonly title: string;
  readonly places: readonly FoundPlace[];
}

interface FoundPlace {
  /** The anchor. It is empty for the page itself. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Makes what the search looks through, from the pages themselves. */
export const searchIndex = (pages: readonly Page[]): readonly FoundPage[] =>
  pages.map(({ slug, title, lead, places }) => ({
    slug,
    title,
    places: [
      { id: "", title, text: wordsOf(lead().html) },
      ...places.map((place) => ({
        id: place.id,
        title: place.title,
        text: wordsOf(place.body().html),
      })),
    ],
  }));

const signs: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Leaves the words that a reader sees: no heading, no sample and no form. */
const wordsOf = (page: string): string =>
  page
    .replace(/<(h2|figure|details|form)\b[\s\S]*?<\/\1>/g, " ")
    .replace(/<[^>]+>/g, (tag) => (/^<\/?(?:a|code|span|strong)\b/.test(tag) ? "" : " "))
    .replace(/&(lt|gt|quot|#39);/g, (_whole, name: string) => signs[name] ?? "")
    .replaceAll("&amp;", "&")
    .replace(/\s+/g, " ")
    .trim();
