import type { Page } from "../contract/routes.ts";
import { checkId } from "../input/check.ts";
import type { AlertRecord } from "../rules/records.ts";
import { iso } from "../rules/render.ts";
import { type OwnerContext, requireStore } from "./context.ts";
import { type PageQuery, readPage } from "./page.ts";

export interface Alert {
  readonly id: string;
  readonly livemode: boolean;
  readonly type: string;
  /** The id of the key, the order or the endpoint that the alert is about. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** ISO 8601 UTC. */
  readonly created_at: string;
}

export interface OwnerAlerts {
  /** Newest first. */
  list(store_id: string, query?: PageQuery): Promise<Page<Alert>>;
}

const render = (alert: AlertRecord): Alert => ({
  id: alert.id,
  livemode: alert.livemode,
  type: alert.type,
  subject: alert.subject,
  data: { ...alert.data },
  created_at: iso(alert.created_at),
});

export const createAlerts = (ctx: OwnerContext): OwnerAlerts => ({
  async list(store_id, query = {}) {
    const store = checkId("store_id", store_id);
    const read = ({ after, limit }: { after: string | null; limit: number }) =>
      ctx.storage.access.listAlerts(store, { before: after, limit });

    const page = await readPage(query, read, render);
    if (page.data.length === 0) await requireStore(ctx, store);
    return page;
  },
});
