import { describe, expect, test } from "vitest";
import { signWebhook, type VerifyOptions, verifyWebhook } from "vitrine/webhooks";

const secret = "whsec_4f1d2c3b5a69788796a5b4c3d2e1f0ff";
const now = 1_767_225_600;
const rawBody = '{"id":"evt_1","name":"João"}';
const hexOf = async (
  options: Partial<{ secret: string; timestamp: number; rawBody: string | Uint8Array }> = {},
): Promise<string> =>
  (await signWebhook({ rawBody, secret, timestamp: now, ...options })).split("v1=")[1] ?? "";
const reasonOf = async (options: object): Promise<string> => {
  const verdict = await verifyWebhook({
    rawBody,
    header: null,
    secret,
    now,
    ...options,
  } as VerifyOptions);
  return verdict.ok ? "ok" : verdict.reason;
};
/** Without process.getBuiltinModule the WebCrypto path runs, as it does off Node. */
async function withoutNode<T>(run: () => Promise<T>): Promise<T> {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    return await run();
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}

describe("the signature header", () => {
  test("there is one v1 for each secret, in order, the same by node:crypto and by WebCrypto", async () => {
    for (const body of [rawBody, new TextEncoder().encode(rawBody), "", new Uint8Array()]) {
      const options = { rawBody: body, secret: ["whsec_new", "whsec_old"], timestamp: now };
      const header = await signWebhook(options);
      expect(header).toMatch(/^t=1767225600,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
      expect(header.split(",")[1]).toBe(
        `v1=${await hexOf({ secret: "whsec_new", rawBody: body })}`,
      );
      expect(await withoutNode(() => signWebhook(options))).toBe(header);
    }
  });

  test("a string, its bytes, a Buffer's window and an ArrayBuffer are the same raw body", async () => {
    const header = `t=${now},v1=${await hexOf()}`;
    const bytes = new TextEncoder().encode(rawBody);
    const window = Buffer.from(`xx${rawBody}yy`).subarray(2, -2);
    for (const body of [rawBody, bytes, window, bytes.buffer])
      expect(await reasonOf({ rawBody: body, header })).toBe("ok");
    expect(await verifyWebhook({ rawBody: bytes, header, secret, now })).toEqual({
      ok: true,
      event: { id: "evt_1", name: "João" },
    });
  });

  test("a leading BOM that was signed is dropped, in a string as in bytes", async () => {
    const body = '\ufeff{"a":1}';
    const header = `t=${now},v1=${await hexOf({ rawBody: body })}`;
    expect(await reasonOf({ rawBody: body, header })).toBe("ok");
    expect(await reasonOf({ rawBody: new TextEncoder().encode(body), header })).toBe("ok");
  });

  test("blanks around parts are trimmed, other names ignored, every part is name=value with a name", async () => {
    const v1 = `v1=${await hexOf()}`;
    for (const [header, reason] of [
      [` t=${now} ,\t${v1} `, "ok"],
      [`x=1,t=${now},v0=,__proto__==,${v1}`, "ok"],
      [`t=${now},v1=,${v1},v1=${"0".repeat(64)}`, "ok"],
      [`t=${now},${v1}=`, "signature_mismatch"],
      [`t=${now},V1=${"0".repeat(64)}`, "no_signature"],
      [`t=${now},v1`, "malformed_header"],
      [`t=${now}, =x,${v1}`, "malformed_header"],
      [`t=${now},=x,${v1}`, "malformed_header"],
      [`t=${now},,${v1}`, "malformed_header"],
      [`t= ${now},${v1}`, "malformed_header"],
      [`t=-${now},${v1}`, "malformed_header"],
      [`t=+${now},${v1}`, "malformed_header"],
      [`t=,${v1}`, "malformed_header"],
      [`T=${now},${v1}`, "malformed_header"],
      [v1, "malformed_header"],
      ["   ", "malformed_header"],
      ["t", "malformed_header"],
      [["", `t=${now},${v1}`], "malformed_header"],
      [[`t=${now},${v1}`, ""], "malformed_header"],
      [[""], "missing_header"],
      [[], "missing_header"],
      ["", "missing_header"],
      [undefined, "missing_header"],
    ] as const) {
      expect([header, await reasonOf({ header })]).toEqual([header, reason]);
    }
    const longest = `t=${now},${v1},x=`.padEnd(4_096, "a");
    expect(await reasonOf({ header: longest })).toBe("ok");
    expect(await reasonOf({ header: `${longest}a` })).toBe("malformed_header");
  });

  test("reasons come in the contract's order: each is told only when all before it are right", async () => {
    const good = `t=${now},v1=${await hexOf({ rawBody: "{" })}`;
    const steps: readonly [object, string][] = [
      [{ rawBody: {}, secret: "", header: "", now: 0 }, "body_not_raw"],
      [{ rawBody: "{", secret: ["", ""], header: "", now: 0 }, "missing_secret"],
      [{ rawBody: "{", secret: undefined, header: good, now: 0 }, "missing_secret"],
      [{ rawBody: "{", header: "", now: 0 }, "missing_header"],
      [{ rawBody: "{", header: "t=1,t=2", now: 0 }, "malformed_header"],
      [{ rawBody: "{", header: "t=1", now: 0 }, "no_signature"],
      [{ rawBody: "{", header: good.replace(/.$/, "g"), now: 0 }, "signature_mismatch"],
      [{ rawBody: "{", header: good, now: now + 301 }, "timestamp_too_old"],
      [{ rawBody: "{", header: good, now: now - 301 }, "timestamp_too_new"],
      [{ rawBody: "{", header: good, now: now + 300 }, "invalid_json"],
      [{ rawBody: "{", header: good, now: now - 300 }, "invalid_json"],
    ];
    for (const [options, reason] of steps) expect(await reasonOf(options)).toBe(reason);
  });

  test("a now that is no number accepts nothing; a tolerance that is no positive number is a TypeError", async () => {
    const header = `t=${now},v1=${await hexOf()}`;
    expect(await reasonOf({ header, now: Number.NaN })).toBe("timestamp_too_old");
    for (const tolerance of [0, -1, Number.NaN, "300", null, {}, true])
      await expect(reasonOf({ header, tolerance })).rejects.toThrow(TypeError);
    expect(await reasonOf({ header, now: now + 0.5, tolerance: 0.5 })).toBe("ok");
  });

  test("without now the clock decides", async () => {
    const header = await signWebhook({ rawBody, secret, timestamp: Math.floor(Date.now() / 1000) });
    expect((await verifyWebhook({ rawBody, header, secret })).ok).toBe(true);
  });

  test("the longest header of blanks is judged quickly", async () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < 100; turn += 1)
      await reasonOf({ header: `t=1,x=${" ".repeat(4_080)}y` });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  test("any number of secrets passes through WebCrypto's bounded cache", async () => {
    await withoutNode(async () => {
      for (let turn = 0; turn < 250; turn += 1) {
        const one = `whsec_${turn % 120}`;
        const header = await signWebhook({ rawBody, secret: one, timestamp: now });
        expect(await reasonOf({ header, secret: ["whsec_x", one] })).toBe("ok");
      }
    });
  });
});

test("secrets that are no text count as missing, beside a good one too", async () => {
  const header = `t=${now},v1=${await hexOf()}`;
  for (const none of [7, null, undefined, {}, ""]) {
    expect(await reasonOf({ rawBody, header, secret: [none] })).toBe("missing_secret");
    expect(await reasonOf({ rawBody, header, secret: [none, secret] })).toBe("ok");
  }
});
