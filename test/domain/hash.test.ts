import { afterAll, describe, expect, test } from "vitest";
import * as onNode from "../../src/domain/keys/hash.ts";

/** Loads the module anew, as a runtime without Node's own modules does. */
async function loadWithoutNode(): Promise<typeof onNode> {
  const { getBuiltinModule } = process;
  Object.assign(process, { getBuiltinModule: undefined });
  try {
    const path = "../../src/domain/keys/hash.ts?without-node";
    return await import(path);
  } finally {
    Object.assign(process, { getBuiltinModule });
  }
}

const webCrypto = await loadWithoutNode();
const calls = { digest: 0, sign: 0 };
const { digest, sign } = crypto.subtle;
Object.assign(crypto.subtle, {
  digest: (...given: Parameters<typeof digest>) => {
    calls.digest += 1;
    return digest.apply(crypto.subtle, given);
  },
  sign: (...given: Parameters<typeof sign>) => {
    calls.sign += 1;
    return sign.apply(crypto.subtle, given);
  },
});
afterAll(() => void Object.assign(crypto.subtle, { digest, sign }));

describe("hashes off Node are those of Node", () => {
  const key = Uint8Array.from({ length: 32 }, (_, index) => 7 * index);

  test.each(["", "abc", "ação", "a".repeat(1_000)])("of the text %j", async (text) => {
    calls.digest = 0;
    calls.sign = 0;
    expect(await webCrypto.sha256(text)).toBe(await onNode.sha256(text));
    expect(await webCrypto.sha256(text, "hex")).toBe(await onNode.sha256(text, "hex"));
    expect(await webCrypto.sha256(text, "base64url")).toBe(await onNode.sha256(text, "base64url"));
    expect(new Uint8Array(await webCrypto.hmacSha256(key, text))).toEqual(
      new Uint8Array(await onNode.hmacSha256(key, text)),
    );
    expect(await webCrypto.hmacText(key, text)).toBe(await onNode.hmacText(key, text));

    // Each way was taken: the one computed all of its hashes by WebCrypto, the other none.
    expect(calls).toEqual({ digest: 3, sign: 2 });
  });
});
