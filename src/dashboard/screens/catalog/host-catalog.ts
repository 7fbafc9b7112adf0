import { emptyList } from "../../frame/elements.ts";
import type { TextName } from "../../language.ts";
import type { StoreVisit, View } from "../../screen.ts";

/** Says in place of a list that the host's own catalog is what the store sells. */
export const hostCatalog = ({ language: { say } }: StoreVisit, title: TextName): View => ({
  title: say(title),
  body: emptyList(say("host_catalog_title"), say("host_catalog_text")),
});
