import { expect, test } from "vitest";
import { signWebhook } from "vitrine/webhooks";
import { createReceiver } from "../../examples/demo/receiver.ts";

const secret = `whsec_${"a".repeat(43)}`;
const other = `whsec_${"b".repeat(43)}`;
const now = (): number => Math.floor(Date.now() / 1000);
const paid = (id = "evt_1", name = "Mug") => ({
  id,
  type: "order.paid",
  store_id: "store_1",
  data: {
    order: { number: 7, items: [{ quantity: 2, name }], customer: { name: "Ana", email: null } },
    previous_status: "pending",
  },
});

async function signed(event: unknown, key = secret, timestamp = now()) {
  const body = new TextEncoder().encode(JSON.stringify(event));
  return { body, header: await signWebhook({ rawBody: body, secret: key, timestamp }) };
}

function receiverWith(...secrets: readonly string[]) {
  const receiver = createReceiver();
  receiver.secrets = secrets;
  return receiver;
}

test("a verified order.paid releases its products", async () => {
  const receiver = receiverWith(secret);
  const { body, header } = await signed(paid());
  expect(await receiver.handle(body, header)).toMatchObject({ status: 200 });
  expect(receiver.released()).toMatchObject([
    { event_id: "evt_1", event_type: "order.paid", order_number: 7, items: ["2 × Mug"] },
  ]);
});

test("a repeat of an event is acknowledged and releases nothing", async () => {
  const receiver = receiverWith(secret);
  const { body, header } = await signed(paid());
  await receiver.handle(body, header);
  const again = await signed(paid(), secret, now() - 60);
  expect(await receiver.handle(again.body, again.header)).toMatchObject({ status: 200 });
  expect(receiver.released()).toHaveLength(1);
  expect(receiver.render()).toContain("1 repeat ignored");
});

test("twenty deliveries of one event at once release it once", async () => {
  const receiver = receiverWith(secret);
  const { body, header } = await signed(paid());
  await Promise.all(Array.from({ length: 20 }, () => receiver.handle(body, header)));
  expect(receiver.released()).toHaveLength(1);
});

test("only order.paid releases", async () => {
  const receiver = receiverWith(secret);
  for (const type of [
    "order.created",
    "order.failed",
    "checkout.session.completed",
    "order.refunded",
  ]) {
    const { body, header } = await signed({ ...paid(`evt_${type}`), type });
    expect(await receiver.handle(body, header)).toMatchObject({ status: 200 });
  }
  expect(receiver.released()).toEqual([]);
});

test("a forged, altered, unsigned or stale delivery answers 400 and releases nothing", async () => {
  const receiver = receiverWith(secret);
  const { body, header } = await signed(paid());
  const forged = await signed(paid(), other);
  const stale = await signed(paid(), secret, now() - 400);
  const altered = new TextEncoder().encode(JSON.stringify(paid("evt_1", "Car")));
  expect(await receiver.handle(forged.body, forged.header)).toEqual({
    status: 400,
    text: "signature_mismatch",
  });
  expect(await receiver.handle(altered, header)).toEqual({
    status: 400,
    text: "signature_mismatch",
  });
  expect(await receiver.handle(body, undefined)).toEqual({ status: 400, text: "missing_header" });
  expect(await receiver.handle(stale.body, stale.header)).toEqual({
    status: 400,
    text: "timestamp_too_old",
  });
  expect(receiver.released()).toEqual([]);
});

test("a receiver without a secret accepts nothing", async () => {
  const { body, header } = await signed(paid());
  expect(await receiverWith().handle(body, header)).toEqual({
    status: 400,
    text: "missing_secret",
  });
});

test("the deliveries of both endpoints are accepted, each with its own secret", async () => {
  const receiver = receiverWith(secret, other);
  for (const [id, key] of [
    ["evt_1", secret],
    ["evt_2", other],
  ] as const) {
    const { body, header } = await signed(paid(id), key);
    expect(await receiver.handle(body, header)).toMatchObject({ status: 200 });
  }
  expect(receiver.released()).toHaveLength(2);
});

test("an event whose release failed is not taken for a repeat: the next delivery releases it", async () => {
  const receiver = receiverWith(secret);
  const broken = await signed({ ...paid(), data: {} });
  await expect(receiver.handle(broken.body, broken.header)).rejects.toThrow(TypeError);
  const { body, header } = await signed(paid());
  await receiver.handle(body, header);
  expect(receiver.released()).toHaveLength(1);
});

test("the page shows what a delivery says as text, never as markup", async () => {
  const receiver = receiverWith(secret);
  const { body, header } = await signed(paid("evt_1", "<script>alert(1)</script>"));
  await receiver.handle(body, header);
  expect(receiver.render()).toContain("2 × &lt;script&gt;alert(1)&lt;/script&gt;");
  expect(receiver.render()).not.toContain("<script>alert");
});

test("the page says whose order was released, shows each event once, and never loads itself anew", async () => {
  const receiver = receiverWith(secret);
  receiver.stores = new Map([["store_1", "Armazém"]]);
  for (const event of [paid("evt_1"), { ...paid("evt_2"), type: "order.created" }]) {
    const { body, header } = await signed(event);
    await receiver.handle(body, header);
  }
  const shown = receiver.render();
  expect(shown).toContain("Order 7 of Ana");
  expect(shown).toContain("Armazém · released");
  expect(shown).toContain("Other verified events: 1");
  expect(shown.split("evt_2")).toHaveLength(2);
  expect(shown).not.toContain("evt_1");
  expect(shown).not.toContain("http-equiv");
});
