import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { receivePix } from "../providers/pix/books.ts";
import { callbackSecret, startFakeBank } from "../providers/pix/fake-bank.ts";
import { only } from "../providers/pix/setup.ts";
import { freshFolder } from "../support/demo.ts";
import {
  beginPurchase,
  commandsOf,
  type Running,
  reachable,
  runGuide,
  runLine,
} from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { payByForm } from "../support/pay-form.ts";

/** A fake bank that brings its messages to the host. */
const openBank = async () => {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const bank = await startFakeBank({
    deliver: async ({ body, query }) => {
      const address = `${base}/notifications/gateways/pix/test${query}`;
      return (await fetch(address, { method: "POST", body })).status;
    },
  });
  onTestFinished(() => bank.close());
  const account = bank.account();
  const env = {
    PORT: String(port),
    PIX_API: bank.baseUrl,
    PIX_CLIENT_ID: account.clientId,
    PIX_CLIENT_SECRET: account.clientSecret,
    PIX_KEY: account.pixKey,
    PIX_CALLBACK_SECRET: callbackSecret,
  };
  return { base, bank, account, env };
};
type Opened = Awaited<ReturnType<typeof openBank>>;

/** Writes the files that the bank gave, and names them. */
function writeFiles({ account }: Opened, folder: string) {
  const write = (name: string, text: unknown): string => {
    writeFileSync(join(folder, name), String(text));
    return join(folder, name);
  };
  return {
    certificate: write("certificate.pem", account.certificate),
    key: write("key.pem", account.key),
    ca: write("ca.pem", account.ca),
  };
}

/** Buys at the host that has started, with the code that its checkout page shows. */
async function buy({ base, bank }: Opened, host: Running): Promise<void> {
  onTestFinished(() => host.stop());
  await host.until("product_id");
  await reachable(base);
  const checkout = await beginPurchase(base, JSON.parse(host.output()));
  await payByForm(checkout);
  expect(await (await fetch(checkout)).text()).toContain("br.gov.bcb.pix");

  receivePix(bank.books(), only(bank.books().charges));
  await bank.outbox.deliver();
  expect(bank.outbox.waiting).toEqual([]);
  expect(await (await fetch(checkout)).text()).toContain("Payment received");
}

test("examples/pix shows a code of a fake bank, and its message pays, by its README", async () => {
  const opened = await openBank();
  const folder = freshFolder();
  const { certificate, key, ca } = writeFiles(opened, folder);
  const [line = ""] = commandsOf("examples/pix");
  const host = runLine(line, {
    ...opened.env,
    DATABASE: join(folder, "shop.sqlite"),
    PIX_CERTIFICATE: certificate,
    PIX_PRIVATE_KEY: key,
    PIX_CA: ca,
  });
  await buy(opened, host);
});

test("the server of docs/pix.md takes a Pix as it stands there", async () => {
  const opened = await openBank();
  const env: Record<string, string> = {
    ...opened.env,
    SEAL_KEY: Buffer.alloc(32, 3).toString("base64"),
  };
  const guide = await runGuide("docs/pix.md", env);
  // The system trusts a real bank's certificate.
  env["NODE_EXTRA_CA_CERTS"] = writeFiles(opened, guide.folder).ca;
  await buy(opened, guide.start());
});
