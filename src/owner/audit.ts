import { z } from "zod";
import type { Page } from "../contract/routes.ts";
import { iso } from "../domain/text/iso.ts";
import { check } from "../input/check.ts";
import { foreignId, pageSize, text } from "../input/fields.ts";
import { type AuditRecord, auditSubjects } from "../rules/audit/audit-records.ts";
import { type Action, actions } from "./actions.ts";
import type { OwnerContext } from "./context.ts";
import { ageOrder, createdFields, present, rangeOf, readListing, sortField } from "./listing.ts";

const actionNames = Object.keys(actions) as [Action, ...Action[]];

const AuditListInput = z.strictObject({
  store_id: foreignId,
  actor: text(255).nullish(),
  action: z.enum(actionNames).nullish(),
  /** The subject of the entries, such as `{ type: "product", id: "prod_…" }`. */
  subject: z.strictObject({ type: z.enum(auditSubjects), id: text(600) }).nullish(),
  ...createdFields,
  ...sortField,
  /** The limit is from 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  /** The `next_cursor` of the page before, with the same filters. */
  starting_after: z.string().nullish(),
});
/** Selects the entries of a list. A filter that is left out, or null, lists all. */
export interface AuditListInput extends z.input<typeof AuditListInput> {}

/** An action of an actor (docs/contract/dashboard.md#audit). */
export interface AuditEntry extends Omit<AuditRecord, "created_at"> {
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
}

/** Reads the audit log of a store (docs/contract/dashboard.md#audit). */
export interface OwnerAudit {
  /**
   * Lists entries, the newest first. `sort: "oldest"` reverses the list. Throws `parameter_invalid`
   * for a wrong filter, and `invalid_cursor` for a cursor from a list with other filters.
   */
  list(input: AuditListInput): Promise<Page<AuditEntry>>;
}

const render = ({ created_at, ...entry }: AuditRecord): AuditEntry => ({
  ...entry,
  created_at: iso(created_at),
});

export const createAudit = (ctx: OwnerContext): OwnerAudit => ({
  async list(input) {
    const query = check(AuditListInput, input);
    const { store_id, actor, action, subject } = query;
    const range = { ...rangeOf(query), ...ageOrder(query) };
    const filters = { store_id, ...range, ...present({ actor, action, subject }) };

    return readListing(ctx, query, {
      name: "audit",
      read: (place, limit) =>
        ctx.storage.audit.list({
          ...filters,
          ...(place && { after: { created_at: place.position, id: place.id } }),
          limit,
        }),
      placeOf: ({ created_at, id }) => ({ position: created_at, id }),
      render,
    });
  },
});
