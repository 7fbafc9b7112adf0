import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { freePort } from "../support/free-port.ts";

const root = resolve(import.meta.dirname, "../..");
const command = "npx tsx examples/browser/server.ts";

let browser: Browser;
let example: ChildProcess;
let address: string;

beforeAll(async () => {
  expect(readFileSync(resolve(root, "examples/browser/README.md"), "utf8")).toContain(command);
  // The README's command without npx, so that the process can be ended.
  example = spawn(process.execPath, ["--import", "tsx", ...command.split(" ").slice(2)], {
    cwd: root,
    env: {
      ...process.env,
      PORT: String(await freePort("localhost")),
      API_PORT: String(await freePort("localhost")),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(example.stdout as NodeJS.ReadableStream, "data");
  address = String(line).trim();
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  const ended = once(example, "exit");
  example.kill();
  await ended;
});

test("examples/browser: the page of its README lists the products, sells one and comes back", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.location().url.endsWith("/favicon.ico"))
      faults.push(message.text());
  });
  await page.goto(address);
  await expect.poll(() => page.locator("#products li").count()).toBe(2);
  await expect.poll(() => page.textContent("#products")).toContain("34,50");
  await page.getByRole("button", { name: "Buy Coffee" }).click();
  await page.waitForURL(/\/pay\//);
  await page.getByLabel("Full name").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\?thanks=cs_/);
  await expect.poll(() => page.textContent("#status")).toContain("Thank you! Order 1 is paid: R$");
  expect(faults).toEqual([]);
});

test("examples/browser: the success page learns by itself of a payment that is still open", async () => {
  const shop = await browser.newPage();
  await shop.goto(address);
  await shop.getByRole("button", { name: "Buy Tea" }).click();
  await shop.waitForURL(/\/pay\//);
  const [sessionId] = /cs_\w+/.exec(shop.url()) ?? [];
  await shop.getByLabel("Full name").fill("Ana");
  await shop.getByLabel("E-mail").fill("ana@example.com");
  await shop.getByLabel("Outcome of the test payment").selectOption("pending_then_succeed");
  await shop.getByRole("button", { name: /^Pay / }).click();
  await expect.poll(() => shop.textContent("main")).toContain("Your payment is being processed");

  const thanks = await browser.newPage();
  await thanks.goto(`${address}?thanks=${sessionId}`);
  await expect.poll(() => thanks.textContent("#status")).toContain("We are waiting");
  await shop.getByRole("button", { name: "Simulate the payment" }).click();
  await expect.poll(() => thanks.textContent("#status")).toMatch(/^Thank you! Order \d is paid/);
});
