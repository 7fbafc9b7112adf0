import type { Storage } from "vitrine";
import { msPerCall, random } from "../measure.ts";
import { returnUrl } from "../servers/shared.ts";
import { eventId, openStorefront, productId, type Shop, stuckEndpoint } from "./shop.ts";

export type Calls = ReturnType<typeof calls>;

const most = 500;

/** Times each call in milliseconds at a number of rows, and asks for rows drawn from all. */
export function calls(storage: Storage, { store_id, key }: Shop, rows: number, seconds: number) {
  const partition = { store_id, livemode: false };
  const next = random();
  const place = (): number => 1 + Math.floor(next() * rows);
  const list = async (more: object): Promise<number> => {
    const answer = await storage.catalog.listProducts({ ...partition, ...more, limit: 20 });
    return answer.outcome === "listed" ? answer.rows.length : -1;
  };
  const some = (found: unknown): void => {
    if (!found) throw new Error("A call of the growth bench found nothing.");
  };
  const claim = (quota_by_endpoint: Readonly<Record<string, number>>): Promise<number> => {
    const lease_token = "bench";
    return msPerCall(
      seconds,
      most,
      async () => {
        const now = Date.now();
        const lease = {
          now,
          lease_until: now + 600_000,
          lease_token,
          limit: 100,
          per_endpoint: 4,
          quota_by_endpoint,
          after_endpoint: null,
        };
        const { deliveries } = await storage.webhooks.claimDeliveries(lease);
        some(deliveries.length === 100);
        return deliveries;
      },
      (deliveries) => storage.webhooks.releaseDeliveries(deliveries, lease_token, Date.now()),
    );
  };
  const storefront = openStorefront(storage);
  let serial = 0;
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
  };
  const buy = async (): Promise<void> => {
    const idempotency = `bench-${++serial}`;
    const items = [{ product_id: productId(place()), quantity: 1 }];
    const body = new TextEncoder().encode(
      JSON.stringify({ items, success_url: returnUrl, cancel_url: returnUrl }),
    );
    const reply = await storefront.serve({
      method: "POST",
      target: "/v1/checkout/sessions",
      ip: "127.0.0.1",
      header: (name) => (name === "idempotency-key" ? idempotency : headers[name]),
      body: async () => body,
    });
    if (reply?.status !== 201)
      throw new Error(`A checkout answered ${reply?.status}: ${reply?.body}`);
  };
  const timed = (call: () => Promise<unknown>) => (): Promise<number> =>
    msPerCall(seconds, most, call);
  return {
    "list by cursor": timed(async () => {
      const position = Math.max(1, place() - 30);
      some((await list({ after: { position, id: productId(position) } })) > 20);
    }),
    detail: timed(async () =>
      some(await storage.catalog.findProduct(partition, `product-${place()}`)),
    ),
    "search, no hit": timed(async () => some((await list({ search: "zebrafinch" })) === 0)),
    "search, one in a thousand": timed(async () => some((await list({ search: "rareword" })) > 0)),
    "search, a word of every product": timed(async () =>
      some((await list({ search: "number" })) > 20),
    ),
    checkout: timed(buy),
    "event poll": timed(async () => {
      const { outcome } = await storage.webhooks.listEvents({
        ...partition,
        after: eventId(place()),
        limit: 100,
      });
      some(outcome === "listed");
    }),
    "claim of 100 due rows": () => claim({}),
    // The stuck endpoint has its full quota of open posts: its rows are due, and none is claimed.
    "claim beside a stuck endpoint": () => claim({ [stuckEndpoint]: 0 }),
  };
}
