// Calls the app without a server: a Hono app is a function that takes a Request.
import app from "./app.ts";

const ask = async (path: string, init?: RequestInit) =>
  (await app.fetch(new Request(`https://shop.example.com${path}`, init))).json();
const { key } = await ask("/");
const headers = {
  authorization: `Bearer ${key}`,
  "content-type": "application/json",
  "idempotency-key": crypto.randomUUID(),
};
const [coffee] = (await ask("/v1/products", { headers })).data;
const back = "https://shop.example.com/thanks";
const body = JSON.stringify({
  items: [{ product_id: coffee.id, quantity: 2 }],
  success_url: back,
  cancel_url: back,
});
const { data } = await ask("/v1/checkout/sessions", { method: "POST", headers, body });
console.log(
  `${coffee.name}: ${data.amount_total} ${data.currency}, to be paid at ${data.checkout_url}`,
);
