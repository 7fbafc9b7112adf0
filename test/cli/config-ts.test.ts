import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { newProject, type Project } from "./project.ts";

const typed = `import { createStorefront, memoryStorage, sandboxGateway, type Storefront } from "vitrine";
export const storefront: Storefront = createStorefront({
  storage: memoryStorage(),
  publicUrl: "http://localhost:3000" satisfies string,
  gateways: [sandboxGateway()],
  sealKey: new Uint8Array(32),
});
`;

const strips = Boolean((process.features as { readonly typescript?: unknown }).typescript);
/** The Node of the checks, where it is installed. */
const other = resolve(import.meta.dirname, "../../.ci/node_modules/node/bin/node");
const stripping = strips ? process.execPath : existsSync(other) ? other : null;
/** A Node that can strip types is told not to. */
const env: Readonly<Record<string, string>> = strips
  ? { NODE_OPTIONS: "--no-experimental-strip-types" }
  : {};

async function openProject(packages: "all" | "vitrine alone"): Promise<Project> {
  const project = await newProject();
  project.write("vitrine.config.ts", typed);
  if (packages === "all") return project;

  const modules = join(project.folder, "node_modules");
  const vitrine = join(realpathSync(modules), "vitrine");
  rmSync(modules);
  mkdirSync(modules);
  symlinkSync(vitrine, join(modules, "vitrine"));
  return project;
}

test.skipIf(!stripping)("vitrine.config.ts is read by a Node that strips types", async () => {
  const project = await openProject("vitrine alone");
  const seeded = await project.json("seed", { node: stripping ?? "" });
  expect(seeded.store_id).toMatch(/^str_/);
});

test("vitrine.config.ts is read by the project's tsx where Node does not strip types", async () => {
  const project = await openProject("all");
  expect((await project.json("seed", { env })).store_id).toMatch(/^str_/);
});

test("without both, the error names both", async () => {
  const project = await openProject("vitrine alone");
  const { code, out, err } = await project.run("seed", { env });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("Use Node 22.18 or later");
  expect(err).toContain("npm install --save-dev tsx");
  expect(err).not.toContain("    at ");
});
