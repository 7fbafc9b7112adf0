import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createOwnerMcp, createShopperMcp, type McpEndpoint } from "vitrine/mcp";
import { listen } from "../agents/mcp-client.ts";
import { root } from "../support/markdown.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

// Runs the protocol's own judge, @modelcontextprotocol/conformance, against a mounted store. The
// judge needs Node 22, which is installed beside it.

const revision = "2026-07-28";

/** What the judge asks of servers for its own use, and why a store has none of it. */
const absent: Readonly<Record<string, readonly string[]>> = {
  "no prompts": [
    "prompts-get-embedded-resource",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-with-image",
    "prompts-list",
    "sep-2322-non-tool-incomplete",
    "sep-2549-prompts-list-caching-hints",
  ],
  "no resources": [
    "resources-list",
    "resources-read-binary",
    "resources-read-text",
    "resources-templates-read",
    "sep-2549-resources-list-caching-hints",
    "sep-2549-resources-templates-list-caching-hints",
  ],
  "no completion of arguments": ["completion-complete"],
  "no tool asks for input, sampling or roots": [
    "sep-2322-elicitation-incomplete",
    "sep-2322-list-roots-incomplete",
    "sep-2322-multi-round-r1",
    "sep-2322-multiple-inputs-incomplete",
    "sep-2322-reject-tampered-state",
    "sep-2322-request-state-incomplete",
    "sep-2322-respect-client-capabilities",
    "sep-2322-result-type-included",
    "sep-2322-sampling-incomplete",
  ],
  "none of the judge's own tools": [
    "json-schema-2020-12-tool-found",
    "sep-2575-http-server-no-independent-requests-on-stream",
    "sep-2575-missing-capability-http-400",
    "sep-2575-server-no-log-without-loglevel",
    "sep-2575-server-rejects-undeclared-capability",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-error",
    "tools-call-image",
    "tools-call-mixed-content",
    "tools-call-simple-text",
    "tools-call-with-progress",
  ],
  "no header of its own": [
    "sep-2243-server-decode-base64",
    "sep-2243-server-no-xmcp-tool",
    "sep-2243-server-reject-invalid-param-chars",
    "sep-2243-server-reject-param-mismatch",
    "sep-2243-server-validate-param-match",
  ],
};

interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** Runs all scenarios of the revision. The judge's exit code counts what a store has not. */
async function judge(url: string, folder: string): Promise<readonly Check[]> {
  const modules = join(root, ".ci/node_modules");
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", revision];
  const output = await new Promise<string>((resolve) =>
    execFile(
      join(modules, "node/bin/node"),
      [join(modules, "@modelcontextprotocol/conformance/dist/index.js"), ...args, "-o", folder],
      { timeout: 50_000 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    ),
  );
  expect(output).toContain("=== SUMMARY ===");

  return readdirSync(folder).flatMap((scenario) =>
    JSON.parse(readFileSync(join(folder, scenario, "checks.json"), "utf8")),
  );
}

const urls = { success_url: returnUrl, cancel_url: returnUrl };
const authorize = () => ({ actor: "ana", stores: "all", access: "all" }) as const;
const dashboardUrl = "https://api.example.com/dashboard";

interface Judged {
  readonly name: string;
  readonly create: (shop: Shop) => McpEndpoint;
  /** What this endpoint has not besides. */
  readonly without: readonly string[];
}

const endpoints: readonly Judged[] = [
  {
    name: "the shoppers' endpoint",
    create: ({ storefront, a }) =>
      createShopperMcp(storefront, { path: "/mcp", key: a.test.pub, ...urls }),
    without: [],
  },
  {
    name: "the owner's endpoint",
    create: ({ storefront }) =>
      createOwnerMcp(storefront, { path: "/mcp", authorize, dashboardUrl }),
    // A page of this machine may not call it with what a person's browser sends along.
    without: ["localhost-host-valid-accepted"],
  },
];

describe.each(endpoints)("$name", ({ create, without }) => {
  test.each(storages)("has no fault that the protocol's judge finds, on %s", async (_on, open) => {
    const shop = await createShop(await open());
    const folder = mkdtempSync(join(tmpdir(), "vitrine-mcp-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const checks = await judge(await listen(create(shop)), folder);

    const lacking = [...Object.values(absent).flat(), ...without];
    // Both ways: a check that fails and is not told here, and one that is told and has passed.
    const failed = checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id);
    expect([...new Set(failed)].sort()).toEqual(lacking.sort());
    const passed = checks.filter(({ status }) => status === "SUCCESS");
    expect(passed.length).toBeGreaterThanOrEqual(80);
  });
});
