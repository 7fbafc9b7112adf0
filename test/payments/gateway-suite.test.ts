import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { sandboxGateway } from "vitrine";
import { gatewaySuite, runGatewayCase } from "vitrine/testing";

describe.each([
  ["a payment at once", "pending_then_succeed"],
  ["a Pix code", "qr_code"],
  ["a 3-D Secure page", "three_d_secure"],
])("the sandbox passes the gateway suite, %s", (_name, outcome) => {
  test.each(gatewaySuite)("$name", (rule) =>
    runGatewayCase(rule, {
      gateway: sandboxGateway({ notificationSecret: "sandbox-secret" }),
      assert,
      now: Date.now,
      succeeds: {},
      declines: { outcome: "decline" },
      waits: { outcome },
    }),
  );
});
