import { createStorefront, type Storefront, sandboxGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";

const { PUBLIC_URL = "", DATABASE = "", SEAL_KEY = "" } = process.env;
const kept = globalThis as { shop?: Promise<Storefront> | undefined };

/**
 * Gives the one storefront of a process. The first request opens it, and not the
 * import: `next build` imports every route, and has no database.
 */
export function openShop(): Promise<Storefront> {
  kept.shop ??= open().catch((error: unknown) => {
    // The next request tries again.
    kept.shop = undefined;
    throw error;
  });
  return kept.shop;
}

async function open(): Promise<Storefront> {
  const storefront = createStorefront({
    storage: sqliteStorage(DATABASE),
    publicUrl: PUBLIC_URL,
    checkout: { baseUrl: `${PUBLIC_URL}/pay` },
    gateways: [sandboxGateway()],
    // This app receives its own webhooks, at an address that may be a private one.
    transport: nodeTransport({ allowTargets: [PUBLIC_URL], warn: () => {} }),
    sealKey: Buffer.from(SEAL_KEY, "base64"),
  });
  await storefront.migrate();
  return storefront;
}
