import { expect, test } from "vitest";
import { sandboxGateway } from "vitrine";

test("the sandbox remembers its last 10,000 payments; an older one is known by its reference", async () => {
  const gateway = sandboxGateway();
  const signal = new AbortController().signal;
  const pay = (index: number) =>
    gateway.createPayment({
      id: `pay_${index}`,
      order_id: `ord_${index}`,
      store_id: "str_a",
      amount: 100,
      currency: "BRL",
      method: { id: "pm_1", type: "pix" },
      input: { outcome: "pending_then_succeed" },
      return_url: "https://shop.example.com/ok",
      expires_at: 1,
      signal,
    });
  const { reference } = await pay(0);
  for (let index = 1; index <= 10_000; index++) await pay(index);
  expect(await gateway.getPayment?.({ id: "pay_0", reference: null, signal })).toBeNull();
  expect(await gateway.getPayment?.({ id: "pay_0", reference, signal })).toMatchObject({
    status: "succeeded",
    amount: 100,
  });
  expect(await gateway.getPayment?.({ id: "pay_1", reference: null, signal })).toMatchObject({
    status: "succeeded",
  });
});
