import { Pool } from "pg";
import { createStorefront, type Storage, type Storefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import type { Settings } from "./settings.ts";

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
    transport: nodeTransport(),
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
