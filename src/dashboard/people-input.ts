import { z } from "zod";
import { foreignId, text } from "../input/fields.ts";
import { mostPeople } from "../steps/person-steps.ts";
import type { Rights } from "./access/access.ts";
import { day, rightsField } from "./links.ts";

const lifetime = z
  .int()
  .min(60)
  .max(7 * day)
  .nullish();

export const InviteInput = z.strictObject({
  store_id: foreignId,
  name: text(100),
  access: rightsField,
  ttl_seconds: lifetime,
});
/** The invitation can be used for `ttl_seconds`: a day by default, a week at most. */
export interface InviteInput extends z.input<typeof InviteInput> {}

const PersonName = z.strictObject({ store_id: foreignId, id: text(100) });
/** Names a person of a store. */
export interface PersonName extends z.input<typeof PersonName> {}

export const PersonChange = PersonName.extend({ access: rightsField });
/** What a person may do from now on. */
export interface PersonChange extends z.input<typeof PersonChange> {}

export const PersonLink = PersonName.extend({ ttl_seconds: lifetime });
/** Names a person who needs a new link, such as one who has lost a passkey. */
export interface PersonLink extends z.input<typeof PersonLink> {}

export const PersonEnd = PersonName.extend({
  keep: z.array(text(100)).max(mostPeople).readonly().nullish(),
});
/** Names a person who ends. Of those whom the person has invited, `keep` stays. */
export interface PersonEnd extends z.input<typeof PersonEnd> {}

/** A key on a person's device, by which the person signs in. */
export interface Passkey {
  readonly id: string;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** Null until the first sign-in by it. */
  readonly last_used_at: string | null;
  /** True when a sign-in was refused because a copy of the key may be in use. Remove it then. */
  readonly copied: boolean;
}

/** Someone who was invited to the dashboard of a store. */
export interface DashboardPerson {
  /** The id begins with `psn_`. */
  readonly id: string;
  /** The name in the audit log, which never changes. */
  readonly name: string;
  readonly access: Rights;
  /** The actor who has invited the person. Null for your own code. */
  readonly invited_by: string | null;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** Exact to five minutes. Null until the invitation is used. */
  readonly last_seen_at: string | null;
  readonly passkeys: readonly Passkey[];
}

/** A link that lets a person in once. */
export interface Invitation {
  /** The id of the person. */
  readonly id: string;
  /** Whoever opens it is let in as the person, once. The storage has only a hash of it. */
  readonly url: string;
  /** A time in ISO 8601 UTC. */
  readonly expires_at: string;
}
