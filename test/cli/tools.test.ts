import { expect, test } from "vitest";
import { createClient } from "vitrine/client";
import { newProject, sqliteHost } from "./project.ts";

test("mock sells from memory, and stops at Ctrl-C", async () => {
  const project = await newProject();
  const mock = project.start("mock --port 0 --json");
  await mock.wrote("secret_key");
  const { url, publishable_key: key } = JSON.parse(mock.text());
  const client = createClient({ baseUrl: url, key, browser: false });
  const { data: products } = await client.listProducts();
  const back = new URL("/thanks", url).href;
  const { data: session } = await client.createCheckoutSession({
    items: [{ product_id: products[0]?.id ?? "", quantity: 1 }],
    success_url: back,
    cancel_url: back,
  });
  expect((await fetch(session.checkout_url)).status).toBe(200);
  mock.process.kill("SIGINT");
  expect((await mock.ended).code).toBe(130);
});

test("conformance runs beside the stores after --yes alone, and leaves them as they are", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  const words = "conformance --grep refund";
  await project.json("migrate --yes");
  await project.json("seed");
  expect((await project.run(words)).code).toBe(3);
  const { cases, failed } = await project.json(`${words} --yes`);
  expect([cases > 5, failed]).toEqual([true, []]);
  expect((await project.json("stores list")).data).toHaveLength(1);
});
