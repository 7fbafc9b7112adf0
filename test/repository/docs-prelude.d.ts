// The code blocks of README and docs use these names without declaring them: names of the reader's
// application, and packages that this repository does not install. A block may declare its own.

declare module "pino" {
  // biome-ignore lint/style/noDefaultExport: pino exports it so
  export default function pino(): import("vitrine").Logger;
}
declare module "express-session" {
  // biome-ignore lint/style/noDefaultExport: express-session exports it so
  export default function session(options: object): import("express").RequestHandler;
}
declare module "@fastify/secure-session" {
  const secureSession: import("fastify").FastifyPluginAsync<{ key: Buffer; cookie: object }>;
  // biome-ignore lint/style/noDefaultExport: @fastify/secure-session exports it so
  export default secureSession;
}
declare module "@/lib/session" {
  export function readSession(
    request: Request,
  ): Promise<{ readonly user_id: string; readonly store_ids: readonly string[] } | null>;
}
declare module "@/lib/storefront" {
  export const openShop: () => Promise<import("vitrine").Storefront>;
}
declare module "@/app/buy-button" {
  export function BuyButton(props: { readonly product_id: string }): React.JSX.Element;
}

type CatalogSource = import("vitrine").CatalogSource;
type CustomerTokenOptions = import("vitrine").CustomerTokenOptions;
type StorefrontOptions = import("vitrine").StorefrontOptions;
type Observer = import("vitrine/otel").Observer;

interface ArticleRow {
  sku: string;
  slug: string;
  title: string;
  cents: number;
  on_shelf: number;
  department: string;
  added_at: Date;
}

/** A transaction of a database, as the author of a storage has it. */
interface StepTransaction {
  lockStore(store_id: string): Promise<void>;
  load<Kind extends import("vitrine/storage").RecordKind>(
    subject: import("vitrine/storage").RecordSubject<Kind>,
  ): Promise<import("vitrine/storage").FoundRecord<Kind>>;
  write(subject: import("vitrine/storage").RecordSubject, after: object | null): Promise<void>;
  raiseCatalogVersion(store_id: string): Promise<void>;
  addAudit(entry: import("vitrine/storage").AuditRecord): Promise<void>;
}
declare const database: {
  transaction<Result>(work: (tx: StepTransaction) => Promise<Result>): Promise<Result>;
};

declare const storefront: import("vitrine").Storefront;
declare const shop: import("vitrine/testing").TestShop;
declare const createStorefront: typeof import("vitrine").createStorefront;
declare const createTestShop: typeof import("vitrine/testing").createTestShop;
declare const memoryStorage: typeof import("vitrine").memoryStorage;
declare const acme: { url: string; key: string; secret: string };
declare const acmeGateway: (access: typeof acme) => import("vitrine/gateway").PaymentGateway;
declare const sandboxGateway: typeof import("vitrine").sandboxGateway;
declare const sqliteStorage: typeof import("vitrine/sqlite").sqliteStorage;
declare const toExpress: typeof import("vitrine/express").toExpress;
declare const express: typeof import("express").default;
declare const randomBytes: typeof import("node:crypto").randomBytes;

declare const client: import("vitrine/client").Client;
declare const token: string;
declare const cart: import("vitrine/client").ClientInput<"createCheckoutSession">;
declare const cartId: string;
declare function showSoldOut(): void;
declare function showOffline(): void;
declare function thank(order_number: number | undefined, amount_total: number): void;
declare function askAgainIn(ms: number): void;
declare function offerToPayAgain(): void;
declare function tellSupport(code: string, ...details: readonly (string | null)[]): void;
declare const store_id: string;
declare const session_id: string;
declare const order_id: string;
declare const livemode: boolean;
declare const buyer_ip: string;
declare const key: string;
declare const signal: AbortSignal;
declare const rawBody: Uint8Array;
declare const secret: string;
declare const onEvent: (event: import("vitrine").WebhookEvent) => Promise<void>;
declare const request: { readonly headers: Record<string, string | undefined> };
declare const merchant: { readonly id: string; readonly name: string };
declare const user: { readonly id: string; readonly email: string };
declare const sessions: {
  find(token: string): Promise<{ store_id: string; user_id: string; created_at: Date } | null>;
};
declare const payments: { remember(row: object): Promise<void> };
declare const payment: { readonly id: string; readonly amount: number; readonly currency: string };
declare const completion: import("vitrine/owner").CompleteInput;
declare const items: readonly { readonly product_id: string; readonly quantity: number }[];
declare const success_url: string;
declare const cancel_url: string;
declare const pool: import("pg").Pool;
declare const articles: {
  page(query: Readonly<Record<string, unknown>>): Promise<ArticleRow[]>;
  bySkuOrSlug(text: string): Promise<ArticleRow | null>;
  bySkus(skus: readonly string[]): Promise<ArticleRow[]>;
};

declare function createPaymentPage(session: import("vitrine").ExternalSession): Promise<string>;
declare function saveStoreId(merchant_id: string, store_id: string): Promise<void>;
declare function releaseOnce(event_id: string, order: { readonly id: string }): Promise<void>;
declare function readFacts(
  body: Uint8Array,
): Promise<readonly import("vitrine/gateway").GatewayNotification[]>;
declare function alreadyDone(event_id: string): Promise<boolean>;
declare function release(order: object): Promise<void>;
declare function sendReceipt(event: object): Promise<void>;
declare function show(product: object): void;
declare function respond(status: number, text: string): void;
declare function report(error: unknown, where?: string): void;
declare function page(type: string, store_id: string): void;
declare function count(name: string, labels: object, duration_ms: number): void;
declare function userOfToken(
  authorization: string | undefined,
): Promise<{ readonly email: string; readonly storeIds: readonly string[] } | null>;
declare function openStorage(): Promise<import("vitrine").Storage>;
