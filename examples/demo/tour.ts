import type { Storefront } from "vitrine";
import type { DemoOptions } from "./options.ts";
import type { ModeKeys } from "./secrets-file.ts";
import { callApi } from "./seed.ts";

/** The tour shows these facts about the running demo. */
export interface TourParts {
  readonly origin: string;
  readonly report: {
    readonly keys: { readonly test: ModeKeys };
    readonly products: readonly { readonly id: string }[];
    readonly coupon_code: string;
  };
  readonly database: string;
  /** It is the path of the file with keys and secrets. It is null when nothing is kept. */
  readonly secretsFile: string | null;
}

const labelWidth = 12;

/** Renders the tour of the demo for the terminal. It opens a session to show its checkout. */
export async function renderTour(storefront: Storefront, parts: TourParts): Promise<string> {
  const { origin, report, database, secretsFile } = parts;
  const checkout = await openSession(storefront, parts);
  const stops = [
    ["Shop", `fill the cart; ${report.coupon_code} takes 10% off`, `${origin}/`],
    ["Checkout", "pay, and choose how it ends", checkout],
    ["Dashboard", "find the order, refund it", `${origin}/dashboard`],
    ["Webhooks", "see what the receiver released", `${origin}/released`],
    ["API pages", "try every call with the key below", `${origin}/v1/docs`],
  ] as const;
  const kept = secretsFile === null ? [] : [`  ${"All keys".padEnd(labelWidth)}${secretsFile}`];

  return [
    "",
    ...columns(stops),
    "",
    `  ${"Test key".padEnd(labelWidth)}${report.keys.test.publishable}`,
    `  ${"Data".padEnd(labelWidth)}${database}`,
    ...kept,
    "",
    "  Press Ctrl+C to stop.",
    "",
  ].join("\n");
}

/** Aligns the addresses after the longest words. They stand last, because some are long. */
function columns(stops: readonly (readonly [string, string, string])[]): readonly string[] {
  const width = Math.max(...stops.map(([, words]) => words.length)) + 3;
  return stops.map(
    ([label, words, address]) => `  ${label.padEnd(labelWidth)}${words.padEnd(width)}${address}`,
  );
}

async function openSession(storefront: Storefront, { origin, report }: TourParts): Promise<string> {
  const body = {
    items: report.products.slice(0, 1).map(({ id }) => ({ product_id: id, quantity: 1 })),
    success_url: `${origin}/success?session={CHECKOUT_SESSION_ID}`,
    cancel_url: `${origin}/cancel`,
  };
  const headers = { "idempotency-key": `demo-tour-${Date.now()}` };
  const key = report.keys.test.publishable;
  const made = await callApi(
    storefront,
    origin,
    "POST",
    "/checkout/sessions",
    key,
    body,
    headers,
  ).catch(() => null);
  // The call may fail: the first product of a catalog of your own may be sold out.
  const session = made?.["data"] as { checkout_url: string } | undefined;
  return session?.checkout_url ?? `${origin}/`;
}

/** Tells where the data is, without a password. */
export function shownDatabase({ storage, database }: DemoOptions): string {
  if (storage === "memory") return "in memory, gone at the end";
  return storage === "postgres" ? database.replace(/:[^:@/]*@/, ":***@") : database;
}
