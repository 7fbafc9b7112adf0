import { z } from "zod";
import type { Page } from "../contract/routes.ts";
import { iso } from "../domain/text/iso.ts";
import { check, checkId } from "../input/check.ts";
import { foreignId, pageSize, text } from "../input/fields.ts";
import type { StoredAlert } from "../rules/owner/list-records.ts";
import { acknowledgeAlert } from "../steps/record-steps.ts";
import { notFound, type OwnerContext } from "./context.ts";
import { requireKnownStore } from "./known-store.ts";
import { ageOrder, present, sortField } from "./listing.ts";
import { readPage } from "./page.ts";

/** Something that a person should look at, as the owner sees it. */
export interface Alert {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: string;
  /** The id of the key, the order or the endpoint that the alert is about. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** A time in ISO 8601, in UTC. */
  readonly created_at: string;
  /**
   * A time in ISO 8601, in UTC. Null until someone has acknowledged the
   * alert.
   */
  readonly acknowledged_at: string | null;
  /**
   * The person or system that acknowledged the alert, in the words that `acknowledge` was given.
   */
  readonly acknowledged_by: string | null;
}

const AlertQuery = z.strictObject({
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
  livemode: z.boolean().nullish(),
  acknowledged: z.boolean().nullish(),
  ...sortField,
});
/**
 * Selects the alerts of a list. Without `livemode` the alerts of both modes are
 * listed.
 */
export interface AlertQuery extends z.input<typeof AlertQuery> {}

const Acknowledgement = z.strictObject({ by: text(200) });
/** Who has dealt with an alert. `by` names the person or the system, in your own words. */
export interface Acknowledgement extends z.input<typeof Acknowledgement> {}

/** Lists the alerts of a store, with who has dealt with them. */
export interface OwnerAlerts {
  /**
   * Lists alerts, the newest first. `sort: "oldest"` reverses the list. `acknowledged: false` lists
   * those that nobody has dealt with yet.
   */
  list(store_id: string, query?: AlertQuery): Promise<Page<Alert>>;
  /**
   * Notes who has dealt with the alert. A repeat keeps the first name and time. Throws
   * `resource_not_found` for an alert of another store.
   */
  acknowledge(store_id: string, id: string, acknowledgement: Acknowledgement): Promise<Alert>;
}

const render = (alert: StoredAlert): Alert => ({
  id: alert.id,
  livemode: alert.livemode,
  type: alert.type,
  subject: alert.subject,
  data: { ...alert.data },
  created_at: iso(alert.created_at),
  acknowledged_at: alert.acknowledged_at === null ? null : iso(alert.acknowledged_at),
  acknowledged_by: alert.acknowledged_by,
});

export const createAlerts = (ctx: OwnerContext): OwnerAlerts => ({
  async list(store_id, query = {}) {
    const store = checkId("store_id", store_id);
    const { livemode, acknowledged, sort, ...range } = check(AlertQuery, query);
    const filters = { ...present({ livemode, acknowledged }), ...ageOrder({ sort }) };
    const read = ({ after, limit }: { after: string | null; limit: number }) =>
      ctx.storage.access.listAlerts(store, { ...filters, before: after, limit });

    const page = await readPage(range, read, render);
    if (page.data.length === 0) await requireKnownStore(ctx, store);
    return page;
  },

  async acknowledge(store_id, id, acknowledgement) {
    const store = checkId("store_id", store_id);
    const { by } = check(Acknowledgement, acknowledgement);

    const { records } = ctx.storage;
    const alert = await acknowledgeAlert(
      records,
      { store_id: store, id: checkId("id", id) },
      { by, now: ctx.now() },
    );
    return alert ? render(alert) : notFound(ctx, store);
  },
});
