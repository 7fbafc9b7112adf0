import { createStorefront, type Storage } from "vitrine";
import type { Fill } from "../fill.ts";
import { returnUrl } from "../servers/shared.ts";

export const endpoints = 100;
/** The posts to this endpoint never get through. */
export const stuckEndpoint = "we_stuck";
export const productId = (n: number): string => `prod_${String(n).padStart(26, "0")}`;
export const eventId = (n: number): string => `evt_${String(n).padStart(26, "0")}`;
const padding = "x".repeat(900);

export interface Shop {
  readonly store_id: string;
  readonly key: string;
}

/** Caches and limits are off, so that the database's work is measured. */
export const openStorefront = (storage: Storage) =>
  createStorefront({
    storage,
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    sealKey: new Uint8Array(32).fill(1),
    limits: { checkout: null, coupons: null },
    answerCacheBytes: 0,
    accessCacheMs: 0,
  });

/** Makes the store, its key, a hundred endpoints and the product that all others copy. */
export async function createShop(storage: Storage, fill: Fill): Promise<Shop> {
  const storefront = openStorefront(storage);
  await storefront.migrate();
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Bench", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, returnUrl);
  const description =
    "A plain thing that is sold in a shop, described in a sentence of a usual length " +
    "for such things.";
  const pattern = {
    name: "Pattern",
    slug: "pattern-slug",
    description,
    price: 1_000,
    currency: "BRL",
    position: 0,
  };
  await owner.products.putMany(store.id, [pattern]);
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" });
  const id = `'we_' || ${fill.pad("n", 26)}`;
  const insert = "insert into webhook_endpoints (store_id, livemode, id, state, record)";
  const rest = (host: string): string =>
    `","store_id":"${store.id}","livemode":false,"url":"https://${host}/","secrets":[]}`;

  const record = `'{"id":"' || ${id} || '${rest("a.example.com")}'`;
  await fill.exec(`${insert}
    select '${store.id}', 0, ${id}, 'enabled', ${record} from ${fill.series(0, endpoints - 1)}`);
  const stuckRecord = `'{"id":"${stuckEndpoint}${rest("b.example.com")}'`;
  await fill.exec(`${insert}
    values ('${store.id}', 0, '${stuckEndpoint}', 'enabled', ${stuckRecord})`);
  return { store_id: store.id, key };
}

/** Makes `count` products, sessions with their keys, events, and one due delivery of each event. */
export async function grow(fill: Fill, { store_id }: Shop, count: number): Promise<void> {
  const now = Date.now();
  const rows = fill.series(1, count);
  const number = fill.pad("n", 26);
  const endpoint = fill.pad(`n % ${endpoints}`, 26);
  const bodyOf = (id: string): string => `'{"id":"${id}_' || ${number} || '","text":"${padding}"}'`;

  await fill.bulk(async () => {
    await fill.exec(productRows(store_id, rows, number));
    await fill.exec(`insert into checkout_sessions
        (store_id, livemode, id, status, expires_at, record)
      select '${store_id}', 0, 'cs_' || ${number}, 'complete', ${now}, ${bodyOf("cs")}
      from ${rows}`);
    await fill.exec(`insert into idempotency_keys
        (store_id, livemode, key_kind, operation, idempotency_key, fingerprint,
         session_id, status, body, request_id, locked_until, created_at)
      select '${store_id}', 0, 'secret', 'createCheckoutSession', 'filled-' || n, 'f',
        'cs_' || ${number}, 201, '{"text":"${padding}"}', 'req_' || n, 0, ${now}
      from ${rows}`);
    await fill.exec(`insert into events (store_id, livemode, id, sequence, type, created_at, body)
      select '${store_id}', 0, 'evt_' || ${number}, n, 'order.paid', ${now}, ${bodyOf("evt")}
      from ${rows}`);
    await fill.exec(`${insertDeliveries}
      select '${store_id}', 0, 'we_' || ${endpoint}, 'evt_' || ${number}, 'order.paid',
        'pending', 0, ${now}, ${now}, ${now}
      from ${rows}`);
  });
}

/** Copies the pattern product under another id, slug and name for each number. */
function productRows(store_id: string, rows: string, number: string): string {
  const rare = "case when n % 1000 = 0 then ' rareword' else '' end";
  const copyOf = (column: string): string => {
    const withId = `replace(p.${column}, p.id, 'prod_' || ${number})`;
    const withSlug = `replace(${withId}, 'pattern-slug', 'product-' || n)`;
    return `replace(${withSlug}, 'Pattern', 'Product number ' || n)`;
  };

  return `insert into products
      (store_id, id, slug, position, active, name_folded, document_version,
       document_live, document_test, record)
    select p.store_id, 'prod_' || ${number}, 'product-' || n, n, 1,
      'product number ' || n || ${rare}, p.document_version,
      ${copyOf("document_live")}, ${copyOf("document_test")}, ${copyOf("record")}
    from products as p, ${rows}
    where p.store_id = '${store_id}' and p.slug = 'pattern-slug'`;
}

/** Makes due rows of one endpoint that are older than all others. */
export const addStuck = (fill: Fill, { store_id }: Shop, count: number): Promise<void> =>
  fill.bulk(() =>
    fill.exec(`${insertDeliveries}
      select '${store_id}', 0, '${stuckEndpoint}', 'evt_stuck_' || n, 'order.paid',
        'pending', 0, n, n, n
      from ${fill.series(1, count)}`),
  );

const insertDeliveries = `insert into deliveries
  (store_id, livemode, endpoint_id, event_id, event_type, state, attempts, due_at, created_at,
   updated_at)`;
