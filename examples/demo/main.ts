import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import type { createServer } from "node:http";
import { dirname, join } from "node:path";
import { Pool } from "pg";
import { createStorefront, memoryStorage, type Storage, type Storefront } from "vitrine";
import { fromNode, send } from "vitrine/node";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { answerAccount, seller } from "./account.ts";
import { openAgent } from "./agent.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import { createDemoDashboard } from "./dashboard.ts";
import { type DemoProvider, openProvider } from "./gateways.ts";
import { writeHistory } from "./history.ts";
import { type DemoOptions, helpText, readOptions, UsageError } from "./options.ts";
import { createPages } from "./pages.ts";
import { createReceiver } from "./receiver.ts";
import { writeRecords } from "./records.ts";
import { type DemoSecrets, loadSecrets, type StoreSecrets, saveSecrets } from "./secrets-file.ts";
import { buyerId, callApi, couponCode, demoCurrency, paidOrder, seedStore } from "./seed.ts";
import { listen, portOf } from "./servers.ts";
import { brandColor } from "./style.ts";
import { renderTour, shownDatabase } from "./tour.ts";

const folder = import.meta.dirname;

async function main(): Promise<void> {
  const given = readOptions(process.argv.slice(2));
  if (!given) return void process.stdout.write(helpText);
  // With --json standard output has only the JSON, so all other lines go to standard error.
  const say = given.json ? console.error : console.log;
  const options = await withDriver(given, say);
  const catalog = await catalogOf(options, say);
  const persistent =
    options.storage === "postgres" ||
    (options.storage === "sqlite" && options.database !== ":memory:");
  const secretsFile =
    options.storage === "postgres"
      ? postgresSecrets(options.database)
      : `${options.database}.secrets.json`;
  if (persistent) mkdirSync(dirname(secretsFile), { recursive: true });

  let answer: Parameters<typeof createServer>[1] = (_req, res) =>
    void res.writeHead(503, { "retry-after": "1" }).end();
  const servers = await listen(options.port, (req, res) => answer?.(req as never, res as never));
  const port = portOf(servers);
  const origin = `http://localhost:${port}`;

  const kept = persistent ? loadSecrets(secretsFile) : null;
  const secrets: DemoSecrets = kept ?? {
    seal_key: randomBytes(32).toString("base64"),
    token_key: randomBytes(32).toString("base64"),
    stores: [],
  };
  const provider = await openProvider(options.gateway, origin);
  const storage = openStorage(options);
  const storefront = createShop(options, secrets, { origin, provider, storage });
  await storefront.migrate();
  const receiver = createReceiver();
  const address = { origin, webhookUrl: `http://127.0.0.1:${port}/webhooks` };

  const past = new AsyncLocalStorage<number>();
  const pastShop = createShop({ ...options, checkoutLimit: null }, secrets, {
    origin,
    provider,
    storage,
    now: () => past.getStore() ?? Date.now(),
  });
  const main = await seedStore(storefront, {
    name: "Armazém Vitrine",
    slug: "armazem-vitrine",
    catalog,
    known: kept?.stores[0] ?? null,
    address,
    ...(options.history && {
      writeHistory: async (store_id, keys) => {
        const place = {
          shop: pastShop,
          at: <Result>(time: number, work: () => Promise<Result>) => past.run(time, work),
          origin,
          store_id,
          publishableKey: keys.publishable,
        };
        await writeHistory(place);
        await writeRecords(place);
      },
    }),
  });
  const second = await seedStore(storefront, {
    name: "Second Store",
    slug: "second-store",
    catalog: firstOf(catalog, 3),
    known: kept?.stores[1] ?? null,
    address,
  });
  const stores = [main.secrets, second.secrets];
  if (persistent) saveSecrets(secretsFile, { ...secrets, stores });
  await provider.start(
    storefront,
    stores.map(({ store_id }) => store_id),
  );
  if (main.renewed)
    say(
      `The file ${secretsFile} was lost: new keys and webhook secrets were made, the old ones are revoked.`,
    );

  receiver.secrets = stores.map((store) => store.webhook_secret);
  receiver.stores = new Map(
    (await storefront.owner.stores.list()).data.map(({ id, name }) => [id, name]),
  );
  const key = main.secrets.keys.test.publishable;
  // What is not there is told by the script of its page, or by the page itself.
  const pages = createPages(key, receiver, {
    ask: (method, path, body) =>
      callApi(
        storefront,
        origin,
        method,
        path,
        key,
        body && {
          ...body,
          success_url: `${origin}/success?session={CHECKOUT_SESSION_ID}`,
          cancel_url: `${origin}/cancel`,
        },
        body ? { "idempotency-key": randomUUID() } : {},
      ).then(
        (answer) => answer as { readonly data: unknown },
        () => null,
      ),
  });
  const dashboard = createDemoDashboard(storefront, origin);
  const report = {
    ...(await describe(storefront, origin, main.secrets)),
    second_store: await describe(storefront, origin, second.secrets),
  };
  const stop = new AbortController();
  const { store_id, keys } = main.secrets;
  const agentParts = { storefront, origin, store_id, keys: keys.test, say, signal: stop.signal };
  const agent = options.agent && (await openAgent(options.agent, agentParts));
  answer = createListener(
    storefront,
    async (request) =>
      (await provider.serve(request)) ??
      (await dashboard(request)) ??
      (await answerAccount(storefront, main.secrets.store_id, request)) ??
      (await agent?.serve(request)) ??
      pages(request),
  );
  if (options.json) console.log(JSON.stringify(report));
  else
    say(
      await renderTour(storefront, {
        origin,
        report,
        database: shownDatabase(options),
        secretsFile: persistent ? secretsFile : null,
      }),
    );

  agent?.buy().catch((error: unknown) => {
    if (!stop.signal.aborted) console.error("The agent stopped:", error);
  });
  const loop = storefront.runWebhookLoop({ signal: stop.signal });
  const upkeep = setInterval(
    () => void storefront.runMaintenance().catch((error: unknown) => console.error(error)),
    60_000,
  );
  const end = async (): Promise<void> => {
    stop.abort();
    clearInterval(upkeep);
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await loop;
    await provider.close();
    await storefront.close();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end());
}

interface ShopParts {
  readonly origin: string;
  readonly provider: DemoProvider;
  readonly storage: Storage;
  readonly now?: () => number;
}

function createShop(
  options: DemoOptions,
  secrets: DemoSecrets,
  { origin, provider, storage, now = Date.now }: ShopParts,
): Storefront {
  const { checkoutLimit } = options;
  return createStorefront({
    storage,
    now,
    requestLog: {},
    checkout: { baseUrl: `${origin}/pay` },
    checkoutPage: { brandColor },
    customerPage: { baseUrl: `${origin}/account`, seller: () => seller },
    publicUrl: origin,
    gateways: provider.gateways,
    customerTokens: {
      keys: [{ kid: "demo", alg: "HS256", secret: Buffer.from(secrets.token_key, "base64") }],
    },
    transport: nodeTransport({
      allowTargets: [`http://127.0.0.1:${new URL(origin).port}`],
      warn: () => {},
    }),
    sealKey: new Uint8Array(Buffer.from(secrets.seal_key, "base64")),
    limits:
      checkoutLimit === undefined
        ? {}
        : checkoutLimit === null
          ? { checkout: null, coupons: null }
          : { checkout: { limit: checkoutLimit, window_ms: 60_000 } },
    onAlert: (alert) => console.error(`Alert: ${alert.type} (${alert.subject})`),
    onError: (error, where) => console.error(`Error in ${where}:`, error),
  });
}

/** Chooses the memory where nobody asked for SQLite and this Node has no driver for it. */
async function withDriver(options: DemoOptions, say: (line: string) => void): Promise<DemoOptions> {
  if (options.storageIsNamed || (await hasSqlite())) return options;
  say(
    `No driver for SQLite is here, so the data is in memory. With SQLite:\n\n  ${sqliteCommand}\n`,
  );
  return { ...options, storage: "memory" };
}

/** Starts the demo on a Node that has SQLite built in, which needs no compiler. */
const sqliteCommand = "npx --yes node@24 --import tsx examples/demo/main.ts";

async function hasSqlite(): Promise<boolean> {
  try {
    await sqliteStorage(":memory:").close();
    return true;
  } catch {
    return false;
  }
}

function openStorage({ storage, database }: DemoOptions): Storage {
  if (storage === "memory") return memoryStorage();
  if (storage === "sqlite") return sqliteStorage(database);
  const pool = new Pool({ connectionString: database });
  pool.on("error", (error) => console.error(`PostgreSQL: ${error.message}`));
  return postgresStorage(pool);
}

/** The secrets of a database server are in .data, in a file named after its host and name. */
function postgresSecrets(database: string): string {
  const { host, pathname } = new URL(database);
  return join(".data", `${`${host}${pathname}`.replace(/[^a-z0-9.-]+/gi, "_")}.secrets.json`);
}

function createListener(
  storefront: Storefront,
  pages: ReturnType<typeof createPages>,
): Parameters<typeof createServer>[1] {
  return (req, res) => {
    const request = fromNode(req);
    const answer = async (): Promise<void> => {
      const reply =
        (await storefront.serve(request)) ??
        (await storefront.checkoutPage.serve(request)) ??
        (await storefront.customerPage.serve(request)) ??
        (await pages(request));
      send(res, reply);
    };
    answer().catch((error: unknown) => {
      console.error(error);
      if (!res.headersSent) res.writeHead(500);
      res.end();
    });
  };
}

async function catalogOf(options: DemoOptions, say: (line: string) => void): Promise<Catalog> {
  const file = options.catalog ?? join(folder, "catalog.csv");
  if (!existsSync(file)) throw new UsageError(`--catalog ${file} does not exist.`);
  const catalog = await readCatalog(file, demoCurrency);
  for (const { line, message } of catalog.problems) say(`${file}:${line}: skipped, ${message}`);
  if (catalog.products.length === 0) throw new Error(`${file} holds no product that can be read.`);
  return catalog;
}

function firstOf(catalog: Catalog, count: number): Catalog {
  const products = catalog.products.slice(0, count);
  const used = new Set(
    products.flatMap(({ categories = [] }) => categories.map(({ slug }) => slug)),
  );
  return {
    products,
    categories: catalog.categories.filter(({ slug }) => used.has(slug)),
    problems: [],
  };
}

/** Tells a user what is needed to try the API. */
async function describe(storefront: Storefront, origin: string, secrets: StoreSecrets) {
  const { store_id, keys, scoped_key, revoked_key, webhook_secret } = secrets;
  const { token } = await storefront.customers.issueToken({
    store_id,
    livemode: false,
    customer_id: buyerId,
    ttl_seconds: 86_400,
  });
  const products = (
    await callApi(storefront, origin, "GET", "/products?limit=3", keys.test.publishable)
  )["data"] as {
    id: string;
    slug: string;
  }[];
  return {
    base_url: `${origin}/v1`,
    store_id,
    keys,
    scoped_key,
    revoked_key,
    origins: await storefront.owner.origins.list(store_id),
    return_urls: await storefront.owner.returnUrls.list(store_id),
    products: products.map(({ id, slug }) => ({ id, slug })),
    coupon_code: couponCode,
    customer_token: token,
    paid_order_id: await paidOrder(storefront, origin, secrets, token),
    webhook_secret,
  };
}

/** A refused connection to a name with two addresses has a code and no message. */
function causeOf(error: unknown): string {
  const cause = (error as { cause?: { message?: string; code?: string } }).cause;
  return cause?.message || cause?.code || "no reason was given";
}

main().catch((error: unknown) => {
  const code = (error as { code?: unknown }).code;
  const port = (error as { port?: unknown }).port;
  if (code === "EADDRINUSE")
    console.error(`Port ${port} is in use: end what listens there, or choose another with --port.`);
  else if (code === "EACCES" || code === "EROFS" || code === "EPERM")
    console.error(
      `No permission: ${error instanceof Error ? error.message : code}. Choose another --database or --port.`,
    );
  else if (code === "service_unavailable")
    console.error(`The database does not answer: ${causeOf(error)}.`);
  else console.error(error instanceof Error ? error.message : error);
  process.exit(error instanceof UsageError ? error.exitCode : 1);
});
