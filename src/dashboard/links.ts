import { z } from "zod";
import { fail } from "../contract/errors.ts";
import { check, refuse } from "../input/check.ts";
import { foreignId, text } from "../input/fields.ts";
import { invalidOption } from "../input/option-error.ts";
import { type DashboardAction, dashboardActions } from "../owner/actions.ts";
import { iso } from "../rules/render.ts";
import { type DashboardAccess, isWithin, type Rights, reaches } from "./access.ts";
import type { DashboardSettings } from "./options.ts";
import type { DashboardParts } from "./parts.ts";
import { newSecret } from "./secrets.ts";

const quarterHour = 900;
const day = 86_400;
const actionNames = Object.keys(dashboardActions) as [DashboardAction, ...DashboardAction[]];

const LinkInput = z.strictObject({
  store_id: foreignId,
  actor: text(255),
  access: z.union([z.enum(["all", "read"]), z.array(z.enum(actionNames)).max(200).readonly()]),
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

/** A link that signs in once. */
export interface DashboardLink {
  /** Whoever opens it signs in, once. The storage has only a hash of it. */
  readonly url: string;
  /** It is a time in ISO 8601 UTC. */
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
}

export const createLinks = (
  parts: DashboardParts,
  settings: DashboardSettings,
): DashboardLinks => ({
  async create(input, { by } = {}) {
    if (!settings.links) invalidOption("links", "must be true before a link can be made");
    const checked = check(LinkInput, input);
    const { store_id, actor, access, ttl_seconds, next } = checked;
    if (by) checkBounds(by, store_id, access);

    const now = parts.now();
    const expires_at = now + (ttl_seconds ?? quarterHour) * 1_000;
    const { hash: link_hash, text } = await newSecret(store_id, parts.randomBytes);
    const link = { store_id, link_hash, actor, access, created_at: now, expires_at };
    const store =
      by?.actor === undefined ? parts.store : await parts.storeAs(by.actor, "links.create");
    const { outcome } = await store.createLink(link);
    if (outcome === "unknown_store")
      return fail("resource_not_found", { param: "store_id", message: "There is no such store." });

    const query = next ? `?next=${encodeURIComponent(next)}` : "";
    const url = `${settings.origin}${settings.publicPath}/link/${text}${query}`;
    return { url, expires_at: iso(expires_at) };
  },
});

/** Refuses a link that would allow more than its maker may do. */
function checkBounds(by: LinkMaker, store_id: string, access: Rights): void {
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
