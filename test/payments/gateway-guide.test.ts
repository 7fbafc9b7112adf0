import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PaymentGateway } from "vitrine/gateway";
import { gatewaySuite, type ProviderMessages, runGatewayCase } from "vitrine/testing";
import { acmeMessage, openAcme } from "../support/acme-provider.ts";
import { freshFolder } from "../support/demo.ts";
import { readText } from "../support/markdown.ts";

type Acme = Awaited<ReturnType<typeof openAcme>>;

const [, block = ""] = /^```ts\n([\s\S]*?)^```/m.exec(readText("docs/gateways.md")) ?? [];

/** Runs the gateway of the guide, as its reader would copy it. */
async function gatewayOfGuide({ access }: Acme): Promise<PaymentGateway> {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  const file = join(freshFolder(), "acme.mjs");
  writeFileSync(file, ts.transpileModule(block, { compilerOptions }).outputText);
  const { acmeGateway } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  return acmeGateway(access);
}

/** The messages of the server, about the payments in its books. */
let serial = 0;
function messagesOf({ payments, refund }: Acme): ProviderMessages {
  const find = (reference: string) => payments.find(({ id }) => id === reference);

  return {
    payment: async (_request, { reference }) => acmeMessage({ payment: find(reference) }),
    secondPayment: async (_request, { reference }) => {
      serial += 1;
      return acmeMessage({ payment: { ...find(reference), charge_id: `ch_again_${serial}` } });
    },
    refund: async ({ payment_reference = null }, amount) => {
      serial += 1;
      const { body } = refund(`of_acme_${serial}`, payment_reference, amount, {});
      return acmeMessage({ refund: body });
    },
  };
}

describe("the gateway of docs/gateways.md", () => {
  let acme: Acme;
  let gateway: PaymentGateway;
  beforeAll(async () => {
    acme = await openAcme();
    gateway = await gatewayOfGuide(acme);
  });
  afterAll(() => acme.close());

  test.each(gatewaySuite)("$name", (rule) =>
    runGatewayCase(rule, {
      gateway,
      assert,
      now: Date.now,
      succeeds: { card: "4242" },
      declines: { card: "4000" },
      waits: { card: "3220" },
      messages: messagesOf(acme),
    }),
  );

  test("its code without types has eighty lines at most", () => {
    const code = block.slice(block.indexOf("const refundStatus"));
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(80);
  });
});
