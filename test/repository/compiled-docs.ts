import ts from "typescript";
import { describe, expect, test } from "vitest";
import { blocks } from "./doc-blocks.ts";
import { program } from "./public-program.ts";

describe("every block of README and docs is TypeScript that compiles", () => {
  test.each(blocks)("$place", ({ path }) => {
    // A block may be the body of a handler, so `return` outside a function (1108) is accepted.
    const faults = ts
      .getPreEmitDiagnostics(program, program.getSourceFile(path))
      .filter(({ code }) => code !== 1108);
    expect(
      faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    ).toEqual([]);
  });
});
