import { afterEach, expect, test } from "vitest";
import { agentProtocols } from "../../examples/demo/agent.ts";
import { type Demo, startDemo } from "../support/demo.ts";
import { payByForm } from "../support/pay-form.ts";

let demo: Demo | undefined;
afterEach(() => demo?.stop());

test.each(agentProtocols)(
  "npm start -- --agent %s: the agent makes a checkout, the buyer pays on its page, the agent sees the order",
  async (protocol) => {
    demo = await startDemo("--storage", "memory", "--agent", protocol);
    const { origin, stderr } = demo;
    const page = new RegExp(`${origin}/pay/\\S+`);
    await expect.poll(stderr, { timeout: 15_000 }).toMatch(page);
    const [url = ""] = page.exec(stderr()) ?? [];
    expect(stderr()).not.toContain("Agent: paid");

    expect((await payByForm(url)).status).toBe(303);
    await expect.poll(stderr, { timeout: 15_000 }).toContain("Agent: paid");
    expect(stderr()).not.toContain("The agent stopped");
  },
);
