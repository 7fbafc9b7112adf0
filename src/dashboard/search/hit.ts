import type { TextName } from "../language.ts";
import type { Section } from "../screen.ts";

/** Something that was found, with a page of its own. */
export interface Hit {
  readonly label: string;
  /** What else tells it from others: words of its own, or what kind of thing it is. */
  readonly note: string | { readonly text: TextName } | null;
  /** The segments of its page in the store and mode. */
  readonly path: readonly string[];
}

/** What was found in one place of the menu, or by an id or a name of the menu itself. */
export interface Found {
  readonly title: `section_${Section}` | "search_id" | "search_places";
  readonly hits: readonly Hit[];
  /** Leads to the list where the search goes on. */
  readonly all: string | null;
}
