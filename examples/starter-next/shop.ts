import { Pool } from "pg";
import { createStorefront, type Storage, type Storefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { readSettings, type Settings } from "./settings.ts";

// Every route has its own copy of this module, so the storefront is kept in a global.
const kept = globalThis as { shop?: Promise<Shop> };

/**
 * Gives the one storefront of this process. It is a function because `next build`
 * imports every route and has neither secrets nor a database.
 */
export async function storefront(): Promise<Storefront> {
  kept.shop ??= openShop(readSettings(process.env));
  try {
    return (await kept.shop).storefront;
  } catch (error) {
    // The next request tries again.
    delete kept.shop;
    throw error;
  }
}

export interface Shop {
  readonly storefront: Storefront;
  /** Waits for calls that still run, and closes the database. */
  close(): Promise<void>;
}

/** Opens the storefront on its database, with the tables of this version. */
export async function openShop(settings: Settings): Promise<Shop> {
  const { publicUrl, sealKey } = settings;
  const database = openDatabase(settings);
  const storefront = createStorefront({
    storage: database.storage,
    publicUrl,
    checkout: { baseUrl: `${publicUrl}/pay` },
    // The sandbox takes test payments alone. For real money, run `npm install stripe` and set
    // gateways: [stripeGateway({ stripe: new Stripe(key), webhookSecret, livemode: true })],
    gateways: [sandboxGateway()],
    // The app's own webhooks go to a private address while it runs on http://localhost.
    transport: nodeTransport(
      publicUrl.startsWith("http:") ? { allowTargets: [publicUrl], warn: () => {} } : {},
    ),
    sealKey,
    healthz: true,
    readyz: true,
    onAlert: (alert) => console.error("Alert:", alert.type, alert.subject),
    onError: (error, where) => console.error(`Error in ${where}:`, error),
  });
  await storefront.migrate();
  return {
    storefront,
    async close() {
      await storefront.close();
      await database.close();
    },
  };
}

interface Database {
  readonly storage: Storage;
  close(): Promise<void>;
}

function openDatabase({ databaseUrl, sqliteFile }: Settings): Database {
  // The storefront closes the SQLite file, which it has opened itself.
  if (databaseUrl === null) return { storage: sqliteStorage(sqliteFile), close: async () => {} };

  const pool = new Pool({ connectionString: databaseUrl });
  pool.on("error", (error) => console.error("PostgreSQL:", error.message));
  return { storage: postgresStorage(pool), close: () => pool.end() };
}
