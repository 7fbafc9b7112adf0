import { createServer } from "node:net";
import Stripe from "stripe";
import { describe, expect, test } from "vitest";
import { nodeTransport } from "vitrine/transport";
import { signWebhook, type VerifyOptions, verifyWebhook } from "vitrine/webhooks";
import signature from "../vectors/signature.json" with { type: "json" };
import ssrf from "../vectors/ssrf.json" with { type: "json" };

interface SignatureCase {
  readonly id: string;
  readonly name: string;
  readonly secret: VerifyOptions["secret"];
  readonly body_base64: string | null;
  readonly body_repeat?: { readonly byte: number; readonly count: number };
  readonly header: VerifyOptions["header"];
  readonly now: number;
  readonly tolerance: number;
  readonly reason: string;
}
const cases = signature.cases as unknown as readonly SignatureCase[];
const bytes = ({ body_base64, body_repeat }: SignatureCase): Uint8Array =>
  body_base64 === null
    ? new Uint8Array(body_repeat?.count ?? 0).fill(body_repeat?.byte ?? 0)
    : new Uint8Array(Buffer.from(body_base64, "base64"));

describe("the signature", () => {
  for (const [path, hide] of [
    ["node:crypto", false],
    ["WebCrypto", true],
  ] as const) {
    test.each(cases)(`$id $name, by ${path}`, async (one) => {
      const builtin = process.getBuiltinModule;
      if (hide) Object.assign(process, { getBuiltinModule: undefined });
      try {
        const { header, secret, now, tolerance } = one;
        const verdict = await verifyWebhook({
          rawBody: bytes(one),
          header,
          secret,
          now,
          tolerance,
        });
        expect(verdict.ok ? "ok" : verdict.reason).toBe(one.reason);
      } finally {
        Object.assign(process, { getBuiltinModule: builtin });
      }
    });
  }

  test("a parsed body is reported first, whatever else is wrong", async () => {
    for (const rawBody of [{}, null, undefined, 7, []]) {
      expect(
        await verifyWebhook({ rawBody: rawBody as never, header: "t=1,v1=x", secret: "s" }),
      ).toEqual({
        ok: false,
        reason: "body_not_raw",
      });
    }
    for (const tolerance of [0, -1, Number.NaN, "x"])
      await expect(
        verifyWebhook({ rawBody: "", header: "", secret: "", tolerance: tolerance as never }),
      ).rejects.toThrow(TypeError);
  });

  test("a hundred thousand broken headers never throw", async () => {
    const parts = [
      "t=1767225600",
      "v1=",
      "v1",
      ",",
      "=",
      " ",
      "t=",
      "a".repeat(64),
      "v0=1",
      "\u0000",
      "é",
      "t=99999999999999",
    ];
    let seed = 42;
    const next = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % most;
    };
    let accepted = 0;
    for (let turn = 0; turn < 100_000; turn += 1) {
      const header = Array.from({ length: next(6) }, () => parts[next(parts.length)]).join(
        next(2) ? "," : "",
      );
      if (
        (await verifyWebhook({ rawBody: "{}", header, secret: "whsec_x", now: 1_767_225_600 })).ok
      )
        accepted += 1;
    }
    expect(accepted).toBe(0);
  });

  test("Stripe's own library verifies what was signed: the same scheme", async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const rawBody = JSON.stringify({ id: "evt_1", object: "event", type: "order.paid", data: {} });
    const header = await signWebhook({ rawBody, secret: ["whsec_new", "whsec_old"], timestamp });
    const stripe = new Stripe("sk_test_x");
    for (const secret of ["whsec_new", "whsec_old"])
      expect(stripe.webhooks.constructEvent(rawBody, header, secret).id).toBe("evt_1");
    expect(() => stripe.webhooks.constructEvent(rawBody, header, "whsec_wrong")).toThrow();
  });
});

interface SsrfCase {
  readonly id: string;
  readonly phase: string;
  readonly url: string;
  readonly resolves_to: readonly string[] | null;
  readonly delivery_resolves_to?: readonly string[];
  readonly redirect_to?: string;
  readonly allow: boolean;
  readonly why: string;
}

describe("webhook addresses", () => {
  const resolving = (addresses: readonly string[] | null | undefined) =>
    nodeTransport({
      resolve: async () => {
        if (!addresses || addresses.length === 0)
          throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" });
        return addresses;
      },
    });
  // Redirects are followed by nobody: test/adapters/transport.test.ts shows it with a server.
  const judged = (ssrf as readonly SsrfCase[]).filter((one) => one.redirect_to === undefined);

  test.each(judged)("$id at registration: $why", async ({ url, resolves_to, allow, phase }) => {
    expect((await resolving(resolves_to).check(url)).ok).toBe(phase === "delivery" ? true : allow);
  });

  test("whatever is refused is refused at delivery too, and nothing is connected", async () => {
    const knocks: string[] = [];
    const trap = createServer((socket) => {
      knocks.push(String(socket.remoteAddress));
      socket.destroy();
    });
    await new Promise<void>((done) => void trap.listen(0, "127.0.0.1", done));
    for (const { url, resolves_to, delivery_resolves_to, allow, phase } of judged) {
      if (allow) continue;
      const sent = await resolving(phase === "delivery" ? delivery_resolves_to : resolves_to).send({
        url,
        headers: {},
        body: "{}",
        timeoutMs: 10_000,
      });
      expect(["ssrf_blocked", "dns_error"], url).toContain(sent.error);
      expect(sent.duration_ms).toBeLessThan(5_000);
    }
    expect(knocks).toEqual([]);
    trap.close();
  });
});
