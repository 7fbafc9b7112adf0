import { once } from "node:events";
import { connect } from "node:net";
import { minuteMs } from "#core/domain/durations.ts";
import type { EndpointRecord } from "#core/rules/webhooks/webhook-records.ts";
import { type Check, type Examined, type Finding, found } from "./check.ts";

const lateMs = 10 * minuteMs;
const connectMs = 3_000;

/** Looks at what is sealed, sent, due and expired. */
export const webhookChecks: readonly Check[] = [
  {
    name: "sealKey",
    run: (examined) =>
      eachEndpoint(examined, async ({ id, secrets }) => {
        const [newest] = secrets;
        if (!newest) return [];
        const opens = await examined.host.parts.keyRing.unseal(newest.sealed, id).then(
          () => true,
          () => false,
        );
        return found(
          !opens,
          `The secret of ${id} was sealed with another sealKey.`,
          "In place of sealKey, pass sealKeys: [newKey, oldKey]. If the old one is lost, rotate" +
            " the secret: vitrine endpoints rotate-secret.",
        );
      }),
  },
  {
    name: "transport",
    run: async ({ host }) =>
      found(
        host.parts.transport === null,
        "The host has no transport: no webhook is sent.",
        "Pass `transport: nodeTransport()` of vitrine/transport to createStorefront.",
      ),
  },
  {
    name: "reach",
    run: (examined) =>
      eachEndpoint(examined, async ({ id, url, state }) => {
        if (state !== "enabled") return [];
        const { hostname, port, protocol } = new URL(url);
        const at = Number(port) || (protocol === "https:" ? 443 : 80);
        const reached = await reaches(hostname.replace(/^\[|\]$/g, ""), at);
        return found(
          !reached,
          `${hostname}:${at} of ${id} cannot be reached from here.`,
          "Open the firewall for outgoing connections, or correct the endpoint's address.",
        );
      }),
  },
  {
    name: "endpoints",
    run: (examined) =>
      eachEndpoint(examined, async ({ id, url, store_id, livemode, state, disabled_reason }) => {
        if (disabled_reason === "failing")
          return found(
            true,
            `${id} (${url}) was disabled: nothing succeeded for three days.`,
            `Mend the receiver, then enable ${id} with replay_since in the dashboard.`,
          );
        if (state !== "enabled") return [];
        const { endpoints } = examined.host.storefront.owner;
        const { last_24_hours } = await endpoints.health({ store_id, livemode }, id);
        const { attempts, accepted, share } = last_24_hours;
        return found(
          share !== null && share < 0.5,
          `${id} (${url}) accepted ${accepted} of ${attempts} attempts of 24 hours.`,
          `Look at what it answers: vitrine deliveries list --store ${store_id} --endpoint ${id}` +
            `${livemode ? " --live" : ""}, or the dashboard's deliveries.`,
        );
      }),
  },
  {
    name: "queue",
    async run({ host, now }) {
      const { webhooks_due, webhooks_due_since } = await host.parts.storage.gauges.read(now());
      const late = webhooks_due_since === null ? 0 : now() - webhooks_due_since;
      return found(
        late > lateMs,
        `Deliveries are due since ${Math.round(late / minuteMs)} minutes: ${webhooks_due} in all.`,
        "Run runWebhookLoop in a process of the host, or `vitrine drain` by cron.",
      );
    },
  },
  {
    name: "maintenance",
    async run({ host, now }) {
      const { maintenance_due_since: since } = await host.parts.storage.gauges.read(now());
      const late = since === null ? 0 : now() - since;
      return found(
        late > lateMs,
        `Work of maintenance is due since ${Math.round(late / minuteMs)} minutes: orders keep` +
          " their pieces, and sessions and subscriptions do not end.",
        "Call runMaintenance every minute in a process of the host, or `vitrine maintain` by cron.",
      );
    },
  },
];

async function eachEndpoint(
  { host, storeIds }: Examined,
  look: (endpoint: EndpointRecord) => Promise<readonly Finding[]>,
): Promise<readonly Finding[] | string> {
  const { webhooks } = host.parts.storage;
  const findings: Finding[] = [];
  let isAny = false;
  for (const store_id of await storeIds())
    for (const livemode of [true, false])
      for (const endpoint of await webhooks.listEndpoints({ store_id, livemode })) {
        isAny = true;
        findings.push(...(await look(endpoint)));
      }
  return isAny ? findings : "needs a webhook endpoint: none was found";
}

async function reaches(host: string, port: number): Promise<boolean> {
  const socket = connect({ host, port, timeout: connectMs });
  try {
    const ended = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "timeout").then(() => false),
    ]);
    return ended;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
