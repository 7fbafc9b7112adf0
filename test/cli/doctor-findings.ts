import { expect } from "vitest";
import type { Json, Project } from "./project.ts";

/** Gives the names of the checks that found something, each with its findings. */
export async function findings(
  project: Project,
  words: string,
  env: Readonly<Record<string, string>>,
) {
  const { out, code } = await project.run(`${words} --json`, { env });
  const { checks } = JSON.parse(out) as Json;
  const found = checks.filter((each: Json) => each.findings.length > 0);
  for (const { findings: all } of found)
    for (const { fault, mend } of all)
      expect([fault, mend]).toEqual(
        [/\S.*\./, /\S.{9}/].map((pattern) => expect.stringMatching(pattern)),
      );
  expect(code).toBe(found.length > 0 ? 1 : 0);
  return found.map(({ check }: Json) => check);
}
