import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Runs axe on what the page shows now; with a rule's name only that rule. */
type RunAxe = (rule?: string) => Promise<readonly unknown[]>;

/** Loads axe into a world of its own, so that the page's policy stays as it is. */
export async function axeOn(page: Page): Promise<RunAxe> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "axe",
  });
  await session.send("Runtime.evaluate", { expression: axeSource, contextId });

  return async (rule) => {
    const options = rule === undefined ? {} : { runOnly: [rule] };
    const least = rule === undefined ? 10 : 0;
    const { result } = await session.send("Runtime.evaluate", {
      expression: `axe.run(${JSON.stringify(options)}).then(({ passes, violations }) =>
        JSON.stringify([
          ...(passes.length > ${least} ? [] : ["axe has checked nothing"]),
          ...violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
        ]))`,
      contextId,
      awaitPromise: true,
      returnByValue: true,
    });
    return JSON.parse(String(result.value));
  };
}

export const violations = async (page: Page): Promise<readonly unknown[]> => (await axeOn(page))();
