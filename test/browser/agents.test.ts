import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { agentProtocols } from "../../examples/demo/agent.ts";
import { launchChromium } from "../support/chromium.ts";
import { type Demo, startDemo } from "../support/demo.ts";

let browser: Browser;
let demo: Demo | undefined;
beforeAll(async () => {
  browser = await launchChromium();
});
afterEach(() => demo?.stop());
afterAll(() => browser?.close());

test.each(agentProtocols)(
  "an agent finds the store by %s and hands over; the buyer pays on a phone; the agent sees the order",
  async (protocol) => {
    demo = await startDemo("--storage", "memory", "--agent", protocol);
    const { origin, stderr } = demo;
    const handedOver = new RegExp(`${origin}/pay/\\S+`);
    await expect.poll(stderr).toMatch(handedOver);
    const [url = ""] = handedOver.exec(stderr()) ?? [];

    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(url);
    await expect.poll(() => page.textContent("body")).toContain("Spoon");
    await page.getByLabel("Full name").fill("Ana");
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByLabel("Outcome").selectOption("decline");
    await page.getByRole("button", { name: /^Pay / }).click();
    await expect.poll(() => page.textContent("body")).toContain("declined");
    expect(stderr()).not.toContain("Agent: paid");

    await page.getByLabel("Outcome").selectOption("succeed");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.waitForURL(/\/success/);
    await expect.poll(stderr).toContain("Agent: paid");
    expect(stderr()).not.toContain("The agent stopped");
  },
);
