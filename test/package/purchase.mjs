// What a buyer does to a starter, without a browser. Each step throws when the answer is another
// than a buyer needs.
import { randomUUID } from "node:crypto";

/** Fetches, and throws when the status is another one. */
export async function ask(url, init, status) {
  const answer = await fetch(url, { redirect: "manual", ...init });
  if (answer.status !== status)
    throw new Error(`${url} answered ${answer.status}, not ${status}: ${await answer.text()}`);
  return answer;
}

/** Makes a checkout session by the API; gives the address of the checkout page. */
export async function buyByApi(origin, { SHOP_KEY, PRODUCT }) {
  const headers = {
    authorization: `Bearer ${SHOP_KEY}`,
    "content-type": "application/json",
    "idempotency-key": randomUUID(),
  };
  const body = JSON.stringify({
    items: [{ product_id: PRODUCT, quantity: 1 }],
    success_url: `${origin}/thanks`,
    cancel_url: `${origin}/thanks`,
  });
  const made = await ask(`${origin}/v1/checkout/sessions`, { method: "POST", headers, body }, 201);
  return (await made.json()).data.checkout_url;
}

/** Presses the button of the first product, as a browser without scripts does. */
export async function buyOnPage(origin) {
  const page = await (await ask(origin, {}, 200)).text();
  const body = new FormData();
  for (const [name, value] of hiddenFields(page)) body.set(name, value);
  const answer = await ask(origin, { method: "POST", body, headers: { origin } }, 303);
  return answer.headers.get("location");
}

/** Pays on the checkout page, and comes back to the shop. */
export async function pay(checkoutUrl, back) {
  const page = await (await ask(checkoutUrl, {}, 200)).text();
  const body = new URLSearchParams(hiddenFields(page));
  const [, method] = /name="payment_method_id" value="([^"]+)"/.exec(page) ?? [];
  for (const [name, value] of [
    ["payment_method_id", method],
    ["name", "Ana"],
    ["email", "ana@example.com"],
    ["outcome", "succeed"],
    ["action", "pay"],
  ])
    body.set(name, value);

  const headers = { origin: new URL(checkoutUrl).origin, "sec-fetch-site": "same-origin" };
  const paid = await ask(checkoutUrl, { method: "POST", body, headers }, 303);
  if (paid.headers.get("location") !== back)
    throw new Error(`The payment leads to ${paid.headers.get("location")}.`);
}

function hiddenFields(page) {
  const inputs = page.match(/<input type="hidden"[^>]*>/g) ?? [];
  return inputs.map((input) =>
    [/name="([^"]*)"/, /value="([^"]*)"/].map((part) =>
      (part.exec(input)?.[1] ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ),
  );
}
