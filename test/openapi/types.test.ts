import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, expect, test } from "vitest";
import { openApiDocument } from "vitrine/openapi";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(root, "node_modules/.openapi-types-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls as an integrator writes them; lines marked so must not compile. */
const calls = `import type { components, operations, paths, webhooks } from "./api.ts";

type Product = components["schemas"]["Product"];
type Body<O extends keyof operations> = operations[O] extends { requestBody: { content: { "application/json": infer B } } } ? B : never;
type Ok<O extends keyof operations, S extends number> = operations[O]["responses"] extends { [K in S]: { content: { "application/json": infer B } } } ? B : never;

const session: Body<"createCheckoutSession"> = {
  items: [{ product_id: "prod_1", quantity: 2, variables: { grind: "fine" } }],
  success_url: "https://shop.example.com/ok",
  cancel_url: "https://shop.example.com/cart",
  customer: { email: "ana@example.com" },
  coupon_code: null,
  metadata: { cart: "1", gift: true },
};
// @ts-expect-error the return URLs are required
const cut: Body<"createCheckoutSession"> = { items: [] };
const query: NonNullable<paths["/products"]["get"]["parameters"]["query"]> = { limit: 5, search: "coffee", starting_after: "x" };
// @ts-expect-error a status of no order
const wrong: NonNullable<paths["/orders"]["get"]["parameters"]["query"]> = { status: "nothing" };
const headers: paths["/checkout/sessions"]["post"]["parameters"]["header"] = { "Idempotency-Key": "one" };
// @ts-expect-error the key is required
const none: paths["/checkout/sessions"]["post"]["parameters"]["header"] = {};

export async function run(base: string): Promise<void> {
  const response = await fetch(base + "/products?limit=" + query.limit, { headers: { Authorization: "Bearer hk_test_pub_x" } });
  const list = (await response.json()) as Ok<"listProducts", 200>;
  const first: Product | undefined = list.data[0];
  const price: number | undefined = first?.price;
  const next: string | null = list.next_cursor;
  const made = (await response.json()) as Ok<"createCheckoutSession", 201>;
  const address: string = made.data.checkout_url;
  const order = (await response.json()) as Ok<"getOrder", 200>;
  const status: "pending" | "paid" | "failed" | "partially_refunded" | "refunded" | "chargeback" = order.data.status;
  const coupon = (await response.json()) as Ok<"validateCoupon", 200>;
  if (coupon.data.valid) coupon.data.amount_discount.toFixed();
  const failure = (await response.json()) as components["schemas"]["Error"];
  const param: string | null = failure.error.param;
  console.log(price, next, address, status, param, session, cut, wrong, headers, none);
}

export function received(event: webhooks["order.paid"]["post"]["requestBody"]["content"]["application/json"]): string {
  const type: "order.paid" = event.type;
  return type + event.data.order.customer.id;
}
`;

test("openapi-typescript makes types of it that compile, as real calls with them do", async () => {
  const types = astToString(await openapiTS(openApiDocument() as never));
  writeFileSync(join(folder, "api.ts"), types);
  writeFileSync(join(folder, "calls.ts"), calls);
  const program = ts.createProgram([join(folder, "calls.ts")], {
    strict: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    types: [],
  });
  // TypeScript's own libraries, which take seconds, are left out.
  const faults = ["api.ts", "calls.ts"]
    .flatMap((file) => ts.getPreEmitDiagnostics(program, sourceOf(program, file)))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(faults).toEqual([]);
});

function sourceOf(program: ts.Program, file: string): ts.SourceFile {
  const source = program.getSourceFile(join(folder, file));
  if (!source) throw new Error(`${file} is not in the program.`);
  return source;
}
