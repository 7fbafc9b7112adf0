import { execFileSync } from "node:child_process";
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

test("bash completes commands, their choices and their options", async () => {
  const project = await newProject();
  const { out } = await project.run("completion bash");
  const complete = (...words: string[]): string[] => {
    const line = words.map((word) => `'${word}'`).join(" ");
    const program = `${out}\nCOMP_WORDS=(vitrine ${line}); COMP_CWORD=${words.length}; _vitrine; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", program], { encoding: "utf8" }).trim().split(" ");
  };
  expect(complete("do")).toEqual(["doctor"]);
  expect(complete("events", "")).toEqual(["tail", "show", "resend"]);
  expect(complete("trigger", "order.p")).toEqual(["order.paid"]);
  expect(complete("listen", "--for")).toEqual(["--forward-to"]);
  for (const shell of ["zsh", "fish"])
    expect((await project.run(`completion ${shell}`)).out).toContain("doctor");
});
