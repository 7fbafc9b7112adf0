import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const { getBuiltinModule } = process;
beforeEach(() => vi.resetModules());
afterEach(() => void Object.assign(process, { getBuiltinModule }));

// The sum of "123456789" is that of the catalogue of CRC algorithms, CRC-32/ISO-HDLC.
describe.each([
  { where: "on Node", module: getBuiltinModule },
  { where: "where Node's modules are not", module: undefined },
])("CRC-32 $where", ({ module }) => {
  test.each([
    ["", 0],
    ["123456789", 0xcbf43926],
    ["Maçã €", 0xc989eb13],
    ["\ud800", 0x8b7233c9],
  ])("of %j", async (text, sum) => {
    Object.assign(process, { getBuiltinModule: module });
    const { crc32 } = await import("../../src/domain/keys/crc32.ts");
    expect(crc32(text)).toBe(sum);
  });
});
