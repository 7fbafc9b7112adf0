import { expect, test } from "vitest";
import { isLocalShortage } from "../../src/webhooks/drain/local-shortage.ts";

const withCode = (code: unknown, more: object = {}): Error =>
  Object.assign(new Error("failed"), { code, ...more });

const nested = (depth: number): Error => {
  let error = withCode("EMFILE");
  for (let level = 0; level < depth; level += 1) error = withCode("ECONNRESET", { cause: error });
  return error;
};

test.each([
  ["no descriptor is left to this process", withCode("EMFILE"), true],
  ["none is left to this machine", withCode("ENFILE"), true],
  ["no buffer is left", withCode("ENOBUFS"), true],
  ["no memory is left", withCode("ENOMEM"), true],
  ["the receiver refused", withCode("ECONNREFUSED"), false],
  ["a code only begins alike", withCode("EMFILES"), false],
  ["the code is no text", withCode(24), false],
  ["the cause is a shortage", nested(1), true],
  ["it stands four causes deep", nested(4), true],
  ["it stands too deep to be looked for", nested(5), false],
  [
    "one of several addresses met it",
    withCode("ECONNREFUSED", { errors: [withCode("ECONNREFUSED"), withCode("EMFILE")] }),
    true,
  ],
  ["no address met it", withCode(undefined, { errors: [withCode("ECONNREFUSED")] }), false],
  ["nothing was thrown", undefined, false],
  ["a text was thrown", "EMFILE", false],
  ["null was thrown", null, false],
])("%s", (_name, error, isShortage) => {
  expect(isLocalShortage(error)).toBe(isShortage);
});

test("a cause that leads to itself is looked at five times", () => {
  const error = withCode("ECONNRESET");
  Object.assign(error, { cause: error });
  expect(isLocalShortage(error)).toBe(false);
});
