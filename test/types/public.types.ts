// This file is compiled by `tsc` and never run. It finds every `any` in the public API, and a line
// under @ts-expect-error must not compile.
import {
  type ApiError,
  type CheckoutSession,
  createStorefront,
  type ErrorCode,
  isApiError,
  memoryStorage,
  type Order,
  type PublicErrorCode,
  type Storefront,
  type Subscription,
  sandboxGateway,
} from "vitrine";
import type { toExpress } from "vitrine/express";
import type { fromNode, toNode } from "vitrine/node";
import { nodeTransport } from "vitrine/transport";
import {
  type signWebhook,
  type VerifyFailure,
  verifyWebhook,
  type WebhookEvent,
} from "vitrine/webhooks";

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type IsAny<T> = 0 extends 1 & T ? true : false;
/** The language's own types: some of them contain `any`, as `AsyncIterable` does. */
type Opaque =
  | Date
  | AbortSignal
  | Request
  | Response
  | Uint8Array
  | ArrayBuffer
  | AsyncIterable<unknown>
  | Error;
/** Is true when T contains `any` within eight levels, also in arguments and results. */
type Leaks<T, Depth extends readonly unknown[] = []> =
  IsAny<T> extends true
    ? true
    : Depth["length"] extends 8
      ? false
      : T extends Opaque
        ? false
        : // The methods of every promise have arguments of the type `any`.
          T extends Promise<infer V>
          ? Leaks<V, [...Depth, 0]>
          : T extends (...args: infer A) => infer R
            ? Leaks<A[number], [...Depth, 0]> extends false
              ? Leaks<Awaited<R>, [...Depth, 0]>
              : true
            : T extends readonly (infer E)[]
              ? Leaks<E, [...Depth, 0]>
              : T extends object
                ? true extends { [K in keyof T]-?: Leaks<T[K], [...Depth, 0]> }[keyof T]
                  ? true
                  : false
                : false;
const holds = <_T extends true>(): void => {};
const fails = <_T extends false>(): void => {};

// These lines hold the detector itself to its task.
holds<Leaks<{ a: { b: () => Promise<{ c: readonly { d: ReturnType<typeof JSON.parse> }[] }> } }>>();
fails<Leaks<{ a: { b: (text: string) => Promise<{ c: readonly { d: unknown }[] }> } }>>();

export async function webhooks(rawBody: Uint8Array, header: string | undefined): Promise<string> {
  const verdict = await verifyWebhook({ rawBody, header, secret: ["whsec_new", "whsec_old"] });
  // @ts-expect-error there is no event before the verdict was looked at
  void verdict.event;
  if (!verdict.ok) {
    holds<Equal<typeof verdict.reason, VerifyFailure>>();
    // @ts-expect-error there is no event in a refusal
    void verdict.event;
    return verdict.reason;
  }
  const { event } = verdict;
  holds<Equal<typeof event, WebhookEvent>>();
  fails<Leaks<WebhookEvent>>();
  switch (event.type) {
    case "order.paid":
    case "order.created":
    case "order.failed":
      holds<Equal<typeof event.data.order, Order>>();
      // @ts-expect-error only a refund carries one
      void event.data.refund;
      return event.data.order.id;
    case "order.refunded":
      holds<Equal<typeof event.data.refund.amount, number>>();
      return event.data.refund.id;
    case "order.refund_failed":
      holds<Equal<typeof event.data.refund.failure_reason, string | null>>();
      return event.data.refund.id;
    case "order.chargeback":
      holds<Equal<typeof event.data.dispute.due_by, string | null>>();
      return event.data.dispute.id;
    case "checkout.session.completed":
      holds<Equal<typeof event.data.checkout_session.line_items, CheckoutSession["line_items"]>>();
      holds<Equal<typeof event.data.checkout_session.checkout_url, string | null>>();
      // @ts-expect-error the order is told in brief
      void event.data.order.items;
      return event.data.checkout_session.id;
    case "subscription.created":
    case "subscription.renewed":
    case "subscription.updated":
    case "subscription.renewal_upcoming":
    case "subscription.past_due":
    case "subscription.recovered":
    case "subscription.payment_action_required":
    case "subscription.canceled":
      holds<Equal<typeof event.data.subscription, Subscription>>();
      // @ts-expect-error there may be no order
      void event.data.order.id;
      return event.data.subscription.id;
    case "entitlement.granted":
    case "entitlement.revoked":
      // @ts-expect-error no event has the content
      void event.data.entitlements[0]?.license_key;
      return event.data.order.id;
    default:
      holds<Equal<typeof event, never>>();
      return "a type of a later version";
  }
}

export async function verifying(): Promise<void> {
  // @ts-expect-error a parsed body cannot be verified
  await verifyWebhook({ rawBody: { id: "evt_1" }, header: "", secret: "" });
  // @ts-expect-error the header is an argument, though it may be undefined
  await verifyWebhook({ rawBody: "", secret: "" });
  // @ts-expect-error a case that is none
  if ((await verifyWebhook({ rawBody: "", header: "", secret: "" })).reason === "bad") return;
  const own = await verifyWebhook<{ readonly type: "mine" }>({
    rawBody: "",
    header: null,
    secret: "",
  });
  if (own.ok) holds<Equal<typeof own.event.type, "mine">>();
  holds<Equal<Awaited<ReturnType<typeof signWebhook>>, string>>();
}

export function errors(error: unknown): void {
  if (!isApiError(error)) {
    // @ts-expect-error not one of ours
    void error.code;
    return;
  }
  holds<Equal<typeof error, ApiError>>();
  holds<Equal<typeof error.code, ErrorCode>>();
  holds<Equal<typeof error.param, string | null>>();
  fails<IsAny<typeof error.code>>();
  // @ts-expect-error no such code: the table of this version is closed on the server's side
  if (error.code === "no_such_code") return;
  const known: PublicErrorCode = "product_unavailable";
  // @ts-expect-error the service API's own codes are never answered
  const service: PublicErrorCode = "refund_exceeds_balance";
  void [known, service];
}

const storefront = createStorefront({
  storage: memoryStorage(),
  docsUrl: "https://docs.example.com/errors",
  checkout: { baseUrl: "https://pay.example.com" },
  gateways: [sandboxGateway()],
  transport: nodeTransport(),
});
holds<Equal<typeof storefront, Storefront>>();
fails<Leaks<Storefront["owner"]>>();
fails<Leaks<Storefront["checkout"]>>();
fails<Leaks<Storefront["customers"]>>();
fails<Leaks<Storefront["orders"]>>();
fails<Leaks<Storefront["subscriptions"]>>();
fails<Leaks<Storefront["consumeEvents"]>>();
fails<Leaks<Pick<Storefront, "serve" | "handler" | "checkoutPage" | "sandboxPage">>>();
fails<Leaks<Storefront["drainWebhooks"]>>();
fails<Leaks<Storefront["runWebhookLoop"]>>();
fails<Leaks<Storefront["runMaintenance"]>>();
fails<Leaks<Storefront["migrate"]>>();
fails<Leaks<Storefront["close"]>>();
fails<Leaks<Parameters<typeof createStorefront>>>();
fails<Leaks<Parameters<typeof verifyWebhook>>>();
// Node's own request and response contain `any`, so the detector looks only into our types.
fails<IsAny<Parameters<ReturnType<typeof toExpress>>[number]>>();
fails<IsAny<Parameters<ReturnType<typeof toNode>>[number]>>();
fails<Leaks<ReturnType<typeof fromNode>>>();

// @ts-expect-error the storage is needed
createStorefront({
  docsUrl: "https://docs.example.com/errors",
  checkout: { baseUrl: "https://pay.example.com" },
});
const required = { storage: memoryStorage(), docsUrl: "x", checkout: { baseUrl: "x" } };
// @ts-expect-error no such option
createStorefront({ ...required, sealkey: new Uint8Array(32) });

export async function owner(): Promise<void> {
  // @ts-expect-error money is a whole number in minor units, never text
  await storefront.owner.products.create("str_1", { name: "A", price: "10.00", currency: "BRL" });
  // @ts-expect-error a store has one currency
  await storefront.owner.stores.create({ name: "A" });
  // @ts-expect-error keys are publishable or secret
  await storefront.owner.keys.create({ store_id: "str_1", livemode: false, kind: "public" });
  const { key } = await storefront.owner.keys.create({
    store_id: "str_1",
    livemode: false,
    kind: "secret",
  });
  holds<Equal<typeof key, string>>();
  const { order } = await storefront.checkout.submit("token", { payment_method_id: "pm_1" });
  fails<IsAny<typeof order>>();
  const answer = await storefront.handler(new Request("https://a.example.com/v1/store"));
  holds<Equal<typeof answer, Response>>();
}
