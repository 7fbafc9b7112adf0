import { parseUrl } from "../../domain/parse-url.ts";
import { isRecord } from "../shared/json.ts";
import { type EventSource, type ToldAgent, tellAgents } from "../shared/order-webhooks.ts";
import { findPermalink } from "../shared/permalink.ts";
import type { StoreApi } from "../shared/store-api.ts";
import { agentField } from "./desk.ts";
import type { UcpSettings } from "./options.ts";
import { showOrder } from "./orders.ts";
import { orderCapability } from "./profile.ts";
import { contentDigest } from "./signatures/digest.ts";
import type { Signer } from "./signatures/sign.ts";

/** Posts orders to the `webhook_url` of each agent's profile until the signal aborts. */
export const runOrderWebhooks = (
  source: EventSource,
  settings: UcpSettings,
  signal: AbortSignal,
): Promise<void> =>
  tellAgents(
    source,
    settings,
    { protocol: "ucp", field: agentField, agents: (api) => agentsOf(settings, api) },
    signal,
  );

function agentsOf(settings: UcpSettings, api: StoreApi): readonly ToldAgent[] {
  const { webhooks, signer, profileOf, endpoint, success_url, now } = settings;
  // The reading of the options refuses `webhooks` without them.
  if (!webhooks || !signer || !profileOf) return [];

  const store = `${new URL(endpoint).origin}/.well-known/ucp`;
  return webhooks.agents.map((name) => ({
    name,
    async post({ id, created_at, data: { order } }) {
      const url = webhookUrlOf(await profileOf(name));
      if (url === null) return null;

      const permalink = await findPermalink(api, order, success_url);
      const body = JSON.stringify(showOrder(order, permalink, null));
      const headers = {
        "content-type": "application/json",
        "ucp-agent": `profile="${store}"`,
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(Date.parse(created_at) / 1_000)),
        "content-digest": await contentDigest(new TextEncoder().encode(body)),
      };
      return { url, body, headers: await signed(signer, url, headers, now()) };
    },
  }));
}

/** Finds the address in the capability of orders. An agent without one is told nothing. */
function webhookUrlOf({ ucp }: Awaited<ReturnType<NonNullable<UcpSettings["profileOf"]>>>) {
  for (const { config } of ucp.capabilities?.[orderCapability] ?? []) {
    const url = isRecord(config) ? config["webhook_url"] : undefined;
    if (typeof url === "string" && parseUrl(url)) return url;
  }
  return null;
}

async function signed(
  signer: Signer,
  url: string,
  headers: Readonly<Record<string, string>>,
  now: number,
): Promise<Readonly<Record<string, string>>> {
  const { host, pathname, search } = new URL(url);
  const query: Record<string, string> = search === "" ? {} : { "@query": search };
  const derived = { "@method": "POST", "@authority": host, "@path": pathname, ...query };
  const parts = { derived, header: (name: string) => headers[name] };
  const components = [...Object.keys(derived), ...Object.keys(headers)];
  return { ...headers, ...(await signer.sign(parts, components, now)) };
}
