// This file is compiled by `tsc` and never run. A line under @ts-expect-error must not compile.
import {
  type BuyerOperation,
  type CheckoutSessionDetails,
  type CheckoutSessionStatus,
  createClient,
  type ErrorCode,
  type ErrorCodeOf,
  type IdempotentOperation,
  isStorefrontError,
  type Operation,
  type Order,
  type Product,
  type WebhookEvent,
} from "vitrine/client";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsAny<T> = 0 extends 1 & T ? true : false;
const holds = <_T extends true>(): void => {};
const fails = <_T extends false>(): void => {};

const client = createClient({ baseUrl: "https://api.example.com/v1", key: "hk_test_pub_x" });
const urls = {
  success_url: "https://shop.example.com/ok",
  cancel_url: "https://shop.example.com/no",
};

// The client tells by the name which operations take a buyer's token.
type OfBuyers = Extract<Operation, `${string}My${string}`> | IdempotentOperation;
holds<Equal<BuyerOperation, OfBuyers>>();

export async function inputs(): Promise<void> {
  await client.getStore();
  await client.getStore({}, { signal: AbortSignal.timeout(1), timeoutMs: 1, maxRetries: 0 });
  // @ts-expect-error the operation takes no input
  await client.getStore({ limit: 1 });

  await client.listProducts();
  await client.listProducts({
    limit: 1,
    page: 2,
    category: "tea",
    category_id: "cat_1",
    search: "x",
    starting_after: "c",
  });
  // @ts-expect-error a misspelt parameter
  await client.listProducts({ serch: "x" });
  // @ts-expect-error a number, as in answers, though the wire carries text
  await client.listProducts({ limit: "1" });
  // @ts-expect-error no such status
  await client.listOrders({ status: "payed" });

  // @ts-expect-error the id is needed
  await client.getProduct();
  // @ts-expect-error the id is needed
  await client.getProduct({});
  // @ts-expect-error products are found by id_or_slug
  await client.getProduct({ id: "x" });
  await client.getProduct({ id_or_slug: "x" });

  const items = [{ product_id: "p", quantity: 1, variables: { size: "m" } }] as const;
  await client.createCheckoutSession({ items, ...urls });
  await client.createCheckoutSession({
    items,
    ...urls,
    customer: { email: "a@example.com" },
    coupon_code: "X",
    metadata: { a: 1, b: "x", c: true },
  });
  // @ts-expect-error cancel_url is needed
  await client.createCheckoutSession({ items, success_url: "x" });
  const item = { product_id: "p", quantity: 1 };
  // @ts-expect-error a price is never sent
  await client.createCheckoutSession({ items: [{ ...item, price: 1 }], ...urls });
  // @ts-expect-error quantity is a number
  await client.createCheckoutSession({ items: [{ product_id: "p", quantity: "1" }], ...urls });
  // @ts-expect-error metadata is flat
  await client.createCheckoutSession({ items, ...urls, metadata: { a: { b: 1 } } });

  await client.createCheckoutSession(
    { items, ...urls },
    { idempotencyKey: "k", customerToken: "t", buyerIp: "203.0.113.9" },
  );
  await client.listMyOrders({}, { customerToken: async () => "t" });
  await client.validateCoupon(
    { code: "X", items: [{ product_id: "p", quantity: 1 }] },
    { buyerIp: "203.0.113.9" },
  );
  // @ts-expect-error reads are not idempotent by key
  await client.getStore({}, { idempotencyKey: "k" });
  // @ts-expect-error the route takes no buyer token
  await client.listProducts({}, { customerToken: "t" });
  // @ts-expect-error no such operation
  await client.deleteOrder({ id: "x" });
}

export async function outputs(): Promise<void> {
  const { data: product, livemode, request_id } = await client.getProduct({ id_or_slug: "x" });
  holds<Equal<typeof product, Product>>();
  holds<Equal<typeof livemode, boolean>>();
  holds<Equal<typeof request_id, string>>();
  holds<Equal<typeof product.price, number>>();
  fails<IsAny<typeof product>>();
  // @ts-expect-error money is a number
  product.price.toUpperCase();
  // @ts-expect-error it may be absent
  product.compare_at_price.toFixed();

  const page = await client.listOrders();
  holds<Equal<typeof page.next_cursor, string | null>>();
  holds<Equal<typeof page.data, readonly Order[]>>();
  // @ts-expect-error answers are not changed
  page.data.push();
  for await (const order of client.listOrders()) {
    holds<Equal<typeof order, Order>>();
    fails<IsAny<typeof order.items>>();
  }
  for await (const order of client.listMyOrders()) holds<Equal<typeof order, Order>>();
  // @ts-expect-error one product is no list
  for await (const _ of client.getProduct({ id_or_slug: "x" }));

  // Enums are open: known values are named, unknown ones are strings.
  const { status } = (await client.getOrder({ id: "x" })).data;
  fails<Equal<typeof status, string>>();
  const known: Order["status"] = "paid";
  const later: Order["status"] = "held_for_review";
  const text: string = status;
  void [known, later, text];
  // @ts-expect-error an open enum is still text
  const number: number = status;
  void number;

  const { data: session } = await client.getCheckoutSession({ id: "cs_1" });
  holds<Equal<typeof session, CheckoutSessionDetails | CheckoutSessionStatus>>();
  const order_number: number | undefined = session.order?.number;
  void order_number;
  // @ts-expect-error a publishable key sees nothing of the buyer
  void session.customer;
  if ("customer" in session) void session.customer.email;

  const { data: coupon } = await client.validateCoupon({ code: "X", items: [] });
  if (coupon.valid) holds<Equal<typeof coupon.amount_total, number>>();
  // @ts-expect-error an invalid coupon has no amounts
  else void coupon.amount_total;

  for await (const event of client.listEvents()) {
    holds<Equal<typeof event, WebhookEvent>>();
    if (event.type === "order.refunded") holds<Equal<typeof event.data.refund.amount, number>>();
    // @ts-expect-error only refunds carry one
    if (event.type === "order.paid") void event.data.refund;
    if (event.type === "subscription.renewed")
      holds<Equal<typeof event.data.subscription.amount, number>>();
  }
}

export function errors(error: unknown): void {
  if (isStorefrontError<"createCheckoutSession">(error)) {
    fails<IsAny<typeof error.code>>();
    fails<Equal<typeof error.code, string>>();
    holds<Equal<typeof error.param, string | null>>();
    holds<Equal<typeof error.status, number>>();
  }
  type Checkout = ErrorCodeOf<"createCheckoutSession">;
  type Read = ErrorCodeOf<"getStore">;
  holds<
      | "coupon_invalid"
      | "idempotency_key_reuse"
      | "customer_token_expired"
      | "timeout" extends Checkout
      ? true
      : false
  >();
  holds<
    Equal<
      Extract<
        Read,
        "coupon_invalid" | "request_in_progress" | "missing_customer_token" | "resource_not_found"
      >,
      never
    >
  >();
  holds<
    "rate_limit_exceeded" | "secret_key_in_browser" | "connection_error" extends Read ? true : false
  >();
  holds<"resource_not_found" extends ErrorCodeOf<"getOrder"> ? true : false>();
  holds<"cursor_expired" extends ErrorCodeOf<"listEvents"> ? true : false>();
  holds<ErrorCode extends ErrorCodeOf<keyof typeof client> ? true : false>();
  // @ts-expect-error codes are text
  if (isStorefrontError(error) && error.code === 404) return;
}

// @ts-expect-error the key is needed
createClient({ baseUrl: "https://api.example.com/v1" });
// @ts-expect-error no such option
createClient({ baseUrl: "https://api.example.com/v1", key: "k", retries: 1 });
createClient({ baseUrl: "https://api.example.com/v1", key: "k", fetch, customerToken: () => null });
