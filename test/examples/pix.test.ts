import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { receivePix } from "../providers/pix/books.ts";
import { callbackSecret, startFakeBank } from "../providers/pix/fake-bank.ts";
import { only } from "../providers/pix/setup.ts";
import { freshFolder } from "../support/demo.ts";
import { commandsOf, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { payByForm } from "../support/pay-form.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test("examples/pix shows a code of a fake bank, and its message pays, by its README", async () => {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const bank = await startFakeBank({
    deliver: async ({ body, query }) => {
      const address = `${base}/notifications/gateways/pix/test${query}`;
      return (await fetch(address, { method: "POST", body })).status;
    },
  });
  cleanups.push(() => bank.close());

  const folder = freshFolder();
  const account = bank.account();
  const write = (name: string, text: unknown): string => {
    writeFileSync(join(folder, name), String(text));
    return join(folder, name);
  };
  const [line = ""] = commandsOf("examples/pix");
  const example = runLine(line, {
    PORT: String(port),
    DATABASE: join(folder, "shop.sqlite"),
    PIX_API: bank.baseUrl,
    PIX_CLIENT_ID: account.clientId,
    PIX_CLIENT_SECRET: account.clientSecret,
    PIX_CERTIFICATE: write("certificate.pem", account.certificate),
    PIX_PRIVATE_KEY: write("key.pem", account.key),
    PIX_CA: write("ca.pem", account.ca),
    PIX_KEY: account.pixKey,
    PIX_CALLBACK_SECRET: callbackSecret,
  });
  cleanups.push(() => example.stop());
  await example.until("product_id");
  const { key, product_id, return_url } = JSON.parse(example.output());

  const answer = await fetch(`${base}/v1/checkout/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "1",
    },
    body: JSON.stringify({
      items: [{ product_id, quantity: 1 }],
      success_url: return_url,
      cancel_url: return_url,
    }),
  });
  const { data } = await answer.json();
  await payByForm(data.checkout_url);
  expect(await (await fetch(data.checkout_url)).text()).toContain("br.gov.bcb.pix");

  receivePix(bank.books(), only(bank.books().charges));
  await bank.outbox.deliver();
  expect(bank.outbox.waiting).toEqual([]);
  expect(await (await fetch(data.checkout_url)).text()).toContain("Payment received");
});
