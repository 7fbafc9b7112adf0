import { z } from "zod";
import { fail } from "../contract/errors.ts";
import type { Page } from "../contract/routes.ts";
import { iso } from "../domain/text/iso.ts";
import { check, refuse } from "../input/check.ts";
import { foreignId, pageSize, text } from "../input/fields.ts";
import { invalidOption } from "../input/option-error.ts";
import { type DashboardAction, dashboardActions } from "../owner/actions.ts";
import { readPlaces } from "../owner/listing.ts";
import type { AuditSigner } from "../rules/audit/audit-records.ts";
import type { DashboardLinkRecord } from "../rules/owner/dashboard-records.ts";
import type { DashboardRef } from "../storage/dashboard-store.ts";
import {
  type DashboardAccess,
  isWithin,
  type Rights,
  reaches,
  readRights,
} from "./access/access.ts";
import { newSecret } from "./access/secrets.ts";
import { giverOf } from "./access/who.ts";
import type { DashboardParts } from "./frame/parts.ts";
import type { DashboardSettings } from "./options.ts";

export const quarterHour = 900;
export const day = 86_400;
const actionNames = Object.keys(dashboardActions) as [DashboardAction, ...DashboardAction[]];

export const rightsField = z.union([
  z.enum(["all", "read"]),
  z.array(z.enum(actionNames)).max(200).readonly(),
]);

const LinkInput = z.strictObject({
  store_id: foreignId,
  actor: text(255),
  access: rightsField,
  ttl_seconds: z.int().min(60).max(day).nullish(),
  next: z
    .string()
    .max(1_000)
    .refine(isRelativePath, "must be a path below the dashboard, like /str_1/live/products")
    .nullish(),
});
/**
 * `actor` will use the link. The link is good for `ttl_seconds`: 15 minutes by
 * default, a day at most. It leads to `next`, a path below the dashboard.
 */
export interface LinkInput extends z.input<typeof LinkInput> {}

const LinkListInput = z.strictObject({
  store_id: foreignId,
  /** The limit is from 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  /** The `next_cursor` of the page before. */
  starting_after: z.string().nullish(),
});
/** Selects a page of the links of a store. */
export interface LinkListInput extends z.input<typeof LinkListInput> {}

const LinkEndInput = z.strictObject({ store_id: foreignId, id: text(100) });
/** Names a link of a store by its id. */
export interface LinkEndInput extends z.input<typeof LinkEndInput> {}

/** A link that signs in once. */
export interface DashboardLink {
  /** The link's name in `links.list` and `links.end`. Nobody can sign in with it. */
  readonly id: string;
  /** Whoever opens it signs in, once. The storage has only a hash of it. */
  readonly url: string;
  /** A time in ISO 8601 UTC. */
  readonly expires_at: string;
}

/** A link that nobody has used yet. */
export interface WaitingLink {
  /** The link's name in `links.end`. Nobody can sign in with it. */
  readonly id: string;
  readonly actor: string;
  readonly access: Rights;
  /** The actor who made the link. Null when your own code made it for nobody. */
  readonly made_by: string | null;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /** The time until which the link is good, in ISO 8601 UTC. */
  readonly expires_at: string;
}

/** The person who makes a link, with the access of that person. */
export type LinkMaker = Pick<DashboardAccess, "stores" | "access"> &
  Partial<Pick<DashboardAccess, "actor">>;

/** Makes the links by which people sign in. */
export interface DashboardLinks {
  /**
   * Makes a link by which someone signs in to the dashboard of one store. With `by`
   * the link must not allow more than that access does: otherwise it throws
   * `parameter_invalid`. When `by` has an actor, the audit log names that actor.
   * Throws `invalid_option` unless the dashboard has the option `links`.
   */
  create(
    input: LinkInput,
    options?: { readonly by?: LinkMaker | undefined },
  ): Promise<DashboardLink>;
  /**
   * Lists the links of a store that are neither used nor past their time, the newest
   * first. Throws `invalid_cursor` for a cursor of another list.
   */
  list(input: LinkListInput): Promise<Page<WaitingLink>>;
  /**
   * Ends a link, so that nobody can use it. Throws `resource_not_found` for a link that
   * is used, ended or past its time. When `by` has an actor, the audit log names that
   * actor.
   */
  end(input: LinkEndInput, options?: { readonly by?: LinkMaker | undefined }): Promise<void>;
}

/** Whoever makes a link: the host's own code, or a visitor of the dashboard. */
export interface LinkSigner {
  readonly by?: LinkMaker | undefined;
  /** The audit log names the maker by it. Null leaves no entry. */
  readonly signer: AuditSigner | null;
  /** The session or the person in which this one is made, and with which it ends. */
  readonly session: DashboardRef | null;
}

export const createLinks = (
  parts: DashboardParts,
  settings: DashboardSettings,
): DashboardLinks => ({
  create: (input, { by } = {}) =>
    makeLink({ parts, settings }, input, { by, signer: signerOf(by), session: null }),

  async list(input) {
    const query = check(LinkListInput, input);
    const { store_id } = query;
    const page = await readPlaces(query, {
      name: "dashboard_links",
      read: (after, limit) =>
        parts.store.listLinks(
          {
            store_id,
            ...(after && { after: { created_at: after.position, link_hash: after.id } }),
            limit,
          },
          parts.now(),
        ),
      placeOf: ({ created_at, link_hash }) => ({ position: created_at, id: link_hash }),
      render,
    });
    if (page.data.length === 0) await parts.owner.stores.retrieve(store_id);
    return page;
  },

  async end(input, { by } = {}) {
    const { store_id, id } = check(LinkEndInput, input);
    const signer = signerOf(by);
    const isInReach = !by || reaches({ ...by, actor: "" }, store_id);
    const store = signer ? await parts.storeAs(signer, "links.end") : parts.store;
    if (!isInReach || !(await store.endLink({ store_id, hash: id }, parts.now())))
      fail("resource_not_found", {
        param: "id",
        message: "The link does not exist, or it was used.",
      });
  },
});

export const signerOf = (by: LinkMaker | undefined): AuditSigner | null =>
  by?.actor === undefined ? null : { actor: by.actor };

const render = ({
  link_hash,
  actor,
  access,
  made_by,
  created_at,
  expires_at,
}: DashboardLinkRecord): WaitingLink => ({
  id: link_hash,
  actor,
  access: readRights(access),
  made_by,
  created_at: iso(created_at),
  expires_at: iso(expires_at),
});

/** Makes a link in the name of its maker, within what the maker may do. */
export async function makeLink(
  { parts, settings }: { readonly parts: DashboardParts; readonly settings: DashboardSettings },
  input: LinkInput,
  { by, signer, session }: LinkSigner,
): Promise<DashboardLink> {
  if (!settings.links) invalidOption("links", "must be true before a link can be made");
  const { store_id, ttl_seconds, next, ...pass } = check(LinkInput, input);
  if (by) checkBounds(by, store_id, pass.access);

  const created_at = parts.now();
  const longest = created_at + (ttl_seconds ?? quarterHour) * 1_000;
  const giver = session && (await giverOf({ store_id, made_in: session.hash }, parts));
  const expires_at = giver ? Math.min(longest, giver.until) : longest;
  const { hash: link_hash, text } = await newSecret(store_id, parts.randomBytes);
  const maker = { made_by: signer?.actor ?? null, made_in: session?.hash ?? null };
  const store = signer ? await parts.storeAs(signer, "links.create") : parts.store;
  const link = { store_id, link_hash, ...pass, ...maker, created_at, expires_at };
  const { outcome } = await store.createLink(link);
  if (outcome === "unknown_store")
    fail("resource_not_found", { param: "store_id", message: "There is no such store." });
  if (outcome === "unknown_session")
    fail("resource_not_found", { message: "The session that makes this link has ended." });

  const query = next ? `?next=${encodeURIComponent(next)}` : "";
  const url = `${settings.origin}${settings.publicPath}/link/${text}${query}`;
  return { id: link_hash, url, expires_at: iso(expires_at) };
}

/** Refuses a link or an invitation that would allow more than its maker may do. */
export function checkBounds(by: LinkMaker, store_id: string, access: Rights): void {
  if (!reaches({ ...by, actor: "" }, store_id))
    fail("resource_not_found", { param: "store_id", message: "There is no such store." });
  if (!isWithin(access, by.access)) refuse("access", "allows more than its maker may do");
}

/**
 * Says whether a path is on this dashboard. Browsers read `//host` and `/\host` as
 * other hosts, drop tabs and line feeds before they look, and go up at a segment of
 * dots, written plainly or encoded. A proxy may decode once more.
 */
export function isRelativePath(path: string): boolean {
  const [before = ""] = path.split(/[?#]/, 1);
  return (
    /^\/(?![/\\])[\u0021-\u005b\u005d-\u007e]*$/.test(path) &&
    !path.includes("//") &&
    !dotSegment.test(before)
  );
}

const dotSegment = /(?:\/|%(?:25)*(?:2f|5c))(?:\.|%(?:25)*2e){1,2}(?:\/|%(?:25)*(?:2f|5c)|$)/i;
