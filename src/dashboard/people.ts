import { z } from "zod";
import { check } from "../input/check.ts";
import { foreignId } from "../input/fields.ts";
import type { DashboardParts } from "./frame/parts.ts";
import { type LinkMaker, type LinkSigner, signerOf } from "./links.ts";
import type { DashboardSettings } from "./options.ts";
import {
  endPerson,
  invite,
  linkPerson,
  listPeople,
  shownPerson,
  updatePerson,
} from "./people-calls.ts";
import type {
  DashboardPerson,
  Invitation,
  InviteInput,
  PersonChange,
  PersonEnd,
  PersonLink,
} from "./people-input.ts";

/** Keeps the list of people of each store. With `by`, nobody gives more than that access. */
export interface DashboardPeople {
  /**
   * Invites someone by a name that no other person of the store has. Throws `invalid_option`
   * unless the dashboard has the option `people`.
   */
  invite(input: InviteInput, options?: By): Promise<Invitation>;
  /** Lists the people of a store, at most 100, the newest first. */
  list(input: { readonly store_id: string }): Promise<readonly DashboardPerson[]>;
  /** Makes a new link for someone who is in the list. Links that were made before stay good. */
  link(input: PersonLink, options?: By): Promise<Invitation>;
  /** Changes what a person may do, in sessions too, from the next request on. */
  update(input: PersonChange, options?: By): Promise<DashboardPerson>;
  /**
   * Ends a person at once, with all sessions and links, and the people whom the person has
   * invited. Those in `keep` stay: from then on they come from `by`.
   */
  end(input: PersonEnd, options?: By): Promise<void>;
}

interface By {
  readonly by?: LinkMaker | undefined;
}

export const createPeople = (
  parts: DashboardParts,
  settings: DashboardSettings,
): DashboardPeople => {
  const place = { parts, settings };
  const own = (options: By = {}): LinkSigner => ({
    by: options.by,
    signer: signerOf(options.by),
    session: null,
  });
  return {
    invite: (input, options) => invite(place, input, own(options)),
    async list(input) {
      const { store_id } = check(z.strictObject({ store_id: foreignId }), input);
      const people = await listPeople(parts, store_id);
      if (people.length === 0) await parts.owner.stores.retrieve(store_id);
      return people.map(shownPerson);
    },
    link: (input, options) => linkPerson(place, input, own(options)),
    update: (input, options) => updatePerson(parts, input, own(options)),
    end: (input, options) => endPerson(parts, input, own(options)),
  };
};
