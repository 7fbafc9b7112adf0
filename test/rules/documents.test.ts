import { describe, expect, test } from "vitest";
import {
  isAvailable,
  productDocument,
  renderCategory,
  renderPaymentMethod,
  renderProduct,
  renderSession,
  renderSessionDetails,
  renderSessionStatus,
  renderStore,
} from "../../src/rules/catalog/render.ts";
import { renderOrder } from "../../src/rules/catalog/render-order.ts";
import type { SubscriptionRecord } from "../../src/rules/payments/payment-records.ts";
import { renderPayment } from "../../src/rules/payments/render-payment.ts";
import type {
  CategoryRecord,
  OrderRecord,
  PaymentMethodRecord,
  ProductRecord,
  StoreRecord,
} from "../../src/rules/records.ts";
import { renderRefund } from "../../src/rules/refunds/render-refund.ts";
import { sentFor } from "../../src/rules/request-log/sent-request.ts";
import { renderSubscription } from "../../src/rules/subscriptions/render-subscription.ts";
import { renderEvent } from "../../src/rules/webhooks/render-event.ts";
import { session as plainSession } from "../payments/order-fixtures.ts";
import { booked, now, order as plainOrder, refundOf } from "./refund-fixtures.ts";

const at = new Date(now).toISOString();
const later = new Date(now + 5).toISOString();
const times = { created_at: now, updated_at: now + 5 };
const shownTimes = { created_at: at, updated_at: later };
/** A field of a record that no document shows. */
const hidden = { secret: "hidden" };

describe("documents show the fields that they name, and times as ISO 8601", () => {
  test("the store", () => {
    const shown = {
      id: "str_a",
      slug: "a",
      name: "A",
      description: "d",
      logo_url: "l",
      website_url: "w",
      support_email: "e",
      support_url: "s",
      terms_url: "t",
      privacy_url: "p",
      country: "BR",
      currency: "BRL",
      locale: "pt-BR",
      timezone: "UTC",
    };
    const store = { ...shown, headless_enabled: true, maintenance: false, catalog_version: 7 };
    expect(renderStore({ ...store, ...hidden, created_at: now } as StoreRecord)).toEqual({
      ...shown,
      created_at: at,
    });
  });

  test("the category", () => {
    const shown = {
      id: "cat_1",
      slug: "c",
      name: "C",
      description: null,
      image_url: "i",
      parent_id: "cat_0",
      position: 3,
    };
    const category = { ...shown, ...times, ...hidden, store_id: "str_a", enabled: true };
    expect(renderCategory(category as CategoryRecord)).toEqual({ ...shown, ...shownTimes });
  });

  test("the payment method", () => {
    const shown = {
      id: "pm_1",
      type: "pix",
      name: "Pix",
      icon_url: null,
      currencies: ["BRL", "USD"],
      min_amount: 1,
      max_amount: 9,
      supports_recurring: false,
      settlement: "instant",
      position: 2,
    };
    const method = { ...shown, ...hidden, store_id: "str_a", enabled: true, gateway: "sandbox" };
    expect(renderPaymentMethod(method as PaymentMethodRecord)).toEqual(shown);
  });

  const shownProduct = {
    id: "prod_1",
    slug: "p",
    name: "P",
    description: "d",
    images: ["https://a.b/1", "https://a.b/2"],
    price: 500,
    compare_at_price: 600,
    currency: "BRL",
    promotion: { discount_type: "fixed", discount_amount: 5 },
    category_ids: ["cat_1", "cat_2"],
    variables: [{ name: "size", type: "select" }],
    recurring: { interval: "month", interval_count: 2 },
    max_quantity: 3,
  };
  const product = {
    ...shownProduct,
    ...times,
    ...hidden,
    active: true,
    blocked: false,
    stock: 5,
    position: 1,
  } as unknown as ProductRecord;

  test.each([true, false])("the product, available: %j", (available) => {
    expect(renderProduct(product, available)).toEqual({
      ...shownProduct,
      ...shownTimes,
      available,
    });
  });

  test("the product without promotion and period", () => {
    const plain = { ...product, promotion: null, recurring: null };
    expect(renderProduct(plain, true)).toMatchObject({ promotion: null, recurring: null });
  });

  test.each([
    [false, null, true],
    [false, 1, true],
    [false, 0, false],
    [true, 1, false],
    [true, 0, false],
  ])("the product that is blocked (%j) with %j pieces is available: %j", (...row) => {
    const [blocked, on_hand, available] = row;
    expect(isAvailable({ blocked }, on_hand)).toBe(available);
    const document = JSON.parse(productDocument({ ...product, blocked }, on_hand));
    expect(document).toEqual({ ...shownProduct, ...shownTimes, available });
  });

  const line = {
    id: "li_1",
    product_id: "prod_1",
    name: "P",
    image_url: "i",
    quantity: 2,
    unit_amount: 500,
    amount_subtotal: 1_000,
    amount_discount: 100,
    amount_total: 900,
    variables: { size: "M" },
  };
  const session = {
    ...plainSession,
    lines: [{ ...line, product_slug: "p", recurring: null }],
    discord_id: "7",
    expires_at: now + 5,
  };
  const amounts = { amount_subtotal: 2_000, amount_discount: 0, amount_total: 2_000 };
  const shownSession = {
    id: "cs_1",
    version: 1,
    status: "open",
    payment_status: "unpaid",
    expires_at: later,
    ...amounts,
    currency: "BRL",
    line_items: [{ ...line, currency: "BRL" }],
    coupon_code: "CODE",
    customer: { email: "Ana@Example.com", discord_id: "7" },
    success_url: session.success_url,
    cancel_url: session.cancel_url,
    metadata: { seen: true },
    created_at: new Date(plainSession.created_at).toISOString(),
  };

  test("the session", () => {
    const checkout_url = "https://pay.example.com/t";
    expect(renderSession(session, checkout_url, now)).toEqual({ ...shownSession, checkout_url });
  });

  test.each([
    ["open", now + 4, "open"],
    ["open", now + 5, "expired"],
    ["complete", now + 5, "complete"],
  ] as const)("the session that is stored as %s, at %d: %s", (status, time, shown) => {
    expect(renderSession({ ...session, status }, "", time).status).toBe(shown);
    expect(renderSessionStatus({ ...session, status }, null, time).status).toBe(shown);
  });

  test.each([
    ["without an order", null, null],
    ["with its order", plainOrder, { number: 7, status: "paid" }],
  ])("the session for a publishable key, %s", (_name, order, shown) => {
    const { customer, coupon_code, success_url, cancel_url, metadata, created_at, ...rest } =
      shownSession;
    const { variables: _, ...bought } = line;
    expect(renderSessionStatus(session, order, now)).toEqual({
      ...rest,
      line_items: [{ ...bought, currency: "BRL" }],
      order: shown,
    });
    expect(renderSessionDetails(session, { order, checkout_url: null, now })).toEqual({
      ...shownSession,
      checkout_url: null,
      order: shown && { id: "ord_1", ...shown },
    });
  });

  test("the session for the owner, with its address", () => {
    const checkout_url = "https://pay.example.com/t";
    const details = renderSessionDetails(session, { order: null, checkout_url, now });
    expect(details.checkout_url).toBe(checkout_url);
  });

  const customer = {
    id: "cus_1",
    email: "a@b.c",
    name: "Ana",
    discord_id: "7",
    tax_id: "x",
    tax_id_type: "cpf" as const,
    country: "BR",
  };
  const item = {
    id: "oi_1",
    product_id: "prod_1",
    product_slug: "p",
    name: "P",
    image_url: null,
    quantity: 2,
    unit_amount: 500,
    amount_subtotal: 1_000,
    amount_discount: 100,
    amount_total: 900,
    variables: { size: "M" },
  };
  const order: OrderRecord = {
    ...plainOrder,
    items: [item],
    customer: { ...customer, ...hidden },
    payment_method_type: "pix",
    ...times,
    paid_at: now,
    refunded_at: now + 5,
    disputed_at: null,
  };
  const shownOrder = {
    id: "ord_1",
    number: 7,
    status: "paid",
    currency: "BRL",
    ...amounts,
    amount_refunded: 0,
    amount_refunding: 0,
    coupon_code: "CODE",
    items: [item],
    customer,
    payment_method: { type: "pix" },
    checkout_session_id: "cs_1",
    subscription_id: null,
    failure_code: null,
    ...shownTimes,
    paid_at: at,
    refunded_at: later,
    disputed_at: null,
  };

  test("the order, whose metadata the buyer does not see", () => {
    expect(renderOrder(order)).toEqual({ ...shownOrder, metadata: { seen: true } });
    expect(renderOrder(order, "store")).toEqual(renderOrder(order));
    expect(renderOrder(order, "buyer")).toEqual(shownOrder);
  });

  test("the order without a method of payment", () => {
    expect(renderOrder({ ...order, payment_method_type: null }).payment_method).toBeNull();
  });

  test("the subscription", () => {
    const shown = {
      id: "sub_1",
      status: "active",
      product_id: "prod_1",
      product_name: "P",
      quantity: 1,
      unit_amount: 500,
      amount: 500,
      currency: "BRL",
      interval: "month",
      interval_count: 1,
      cancel_at_period_end: false,
      latest_order_id: "ord_1",
      metadata: { a: 1 },
    };
    const subscription = {
      ...shown,
      ...times,
      ...hidden,
      customer: { ...customer, ...hidden },
      current_period_start: now,
      current_period_end: now + 5,
      canceled_at: now,
      ended_at: null,
    } as unknown as SubscriptionRecord;
    const document = {
      ...shown,
      ...shownTimes,
      customer,
      current_period_start: at,
      current_period_end: later,
      canceled_at: at,
      ended_at: null,
      paused_at: null,
      trial_end: null,
    };
    const byHost = { collection_method: "host", saved_method: null, next_charge_at: null };
    expect(renderSubscription(subscription)).toEqual({ ...document, ...byHost });
    const trial = renderSubscription({ ...subscription, trial_end: now + 5 });
    expect(trial).toEqual({ ...document, ...byHost, trial_end: later });

    const saved = { ...hidden, sealed_reference: "s", kind: "card", label: "L", expires_at: null };
    const renewal = { saved, tries: 0, stopped: false, charge_at: now + 5 };
    const charged = { ...subscription, renewal } as unknown as SubscriptionRecord;
    expect(renderSubscription(charged)).toEqual({
      ...document,
      collection_method: "charge_automatically",
      saved_method: { kind: "card", label: "L", expires_at: null },
      next_charge_at: later,
    });
  });

  test("the money of an order, with what went back of it", () => {
    const sent_back = [{ reference: "re_1", amount: 300, state: "succeeded" as const }];
    expect(renderPayment({ ...booked, sent_back, created_at: now })).toEqual({
      id: "pay_1",
      order_id: "ord_1",
      gateway: "sandbox",
      account: null,
      payment_reference: "money",
      status: "booked",
      amount: 2_000,
      amount_returned: 300,
      currency: "BRL",
      created_at: at,
    });
  });

  test.each([
    ["under the caller's id", "a", null, "a", null],
    ["made at the provider", "rf_a", now + 5, null, later],
  ])("the refund %s", (_name, reference, succeeded_at, shown, time) => {
    expect(renderRefund(refundOf("a", { ...times, reference, succeeded_at }))).toEqual({
      id: "rf_a",
      order_id: "ord_1",
      payment_id: "pay_1",
      reference: shown,
      status: "pending",
      amount: 500,
      reason: null,
      moved: "by_gateway",
      provider_reference: null,
      failure_reason: null,
      ...shownTimes,
      succeeded_at: time,
    });
  });

  test("the event, as the bytes that are sent", () => {
    const draft = {
      id: "evt_1",
      type: "order.paid",
      created_at: now,
      data: (number: number) => ({ order: { number } }),
    } as const;
    const body =
      `{"id":"evt_1","type":"order.paid","livemode":false,"created_at":"${at}",` +
      `"api_version":"v1","sequence":12,"store_id":"str_a","data":{"order":{"number":7}}}`;
    const partition = { store_id: "str_a", livemode: false };
    expect(renderEvent(partition, draft, { order_number: 7, offset: 0, sequence: 12 })).toEqual({
      ...partition,
      id: "evt_1",
      sequence: 12,
      type: "order.paid",
      created_at: now,
      body,
    });
  });

  test("the request that could have made the session", () => {
    expect(sentFor({ ...session, customer_id: "cus_1" })).toEqual({
      body: {
        items: [{ product_id: "prod_1", quantity: 2, variables: { size: "M" } }],
        success_url: session.success_url,
        cancel_url: session.cancel_url,
        customer: { email: "Ana@Example.com", discord_id: "7" },
        coupon_code: "CODE",
        metadata: { seen: true },
      },
      customer_id: "cus_1",
    });
  });
});
