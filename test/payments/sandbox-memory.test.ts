import { expect, test } from "vitest";
import { sandboxGateway } from "vitrine";

test("the sandbox remembers its last 10,000 payments; an older one is known by its reference", async () => {
  const gateway = sandboxGateway();
  const call = { store_id: "str_a", account: null, signal: new AbortController().signal };
  const query = { ...call, payment_reference: null, created_at: 1 };
  const pay = (index: number) =>
    gateway.createPayment({
      id: `pay_${index}`,
      order_id: `ord_${index}`,
      ...call,
      amount: 100,
      currency: "BRL",
      method: { id: "pm_1", type: "pix" },
      input: { outcome: "pending_then_succeed" },
      description: "Order 1",
      customer: { id: "cus_1", email: null, name: null, country: null, tax_id: null },
      metadata: {
        store_id: "str_a",
        livemode: false,
        order_id: `ord_${index}`,
        session_id: "cs_1",
        payment_id: `pay_${index}`,
      },
      line_items: [],
      return_url: "https://shop.example.com/ok",
      expires_at: 1,
    });
  const { reference } = await pay(0);
  for (let index = 1; index <= 10_000; index++) await pay(index);
  expect(await gateway.getPayment?.({ id: "pay_0", reference: null, ...query })).toBeNull();
  expect(await gateway.getPayment?.({ id: "pay_0", reference, ...query })).toMatchObject({
    status: "succeeded",
    amount: 100,
  });
  expect(await gateway.getPayment?.({ id: "pay_1", reference: null, ...query })).toMatchObject({
    status: "succeeded",
  });
});
