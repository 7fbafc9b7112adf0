import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const readPackage = (): { readonly files: readonly string[] } =>
  JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test("the program of docs/upgrading.md moves each name to the subpath that exports it", () => {
  const guide = readFileSync(join(root, "docs/upgrading.md"), "utf8");
  const program = /```js\n([\s\S]*?)```/.exec(guide)?.[1] ?? "";
  const folder = mkdtempSync(join(tmpdir(), "vitrine-upgrading-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));

  mkdirSync(join(folder, "src/shop"), { recursive: true });
  // The pages that the package holds, and no other ones.
  const pages = "docs/reference";
  cpSync(join(root, pages), join(folder, "node_modules/vitrine", pages), { recursive: true });
  for (const path of readPackage().files.filter((each) => each.startsWith(`!${pages}/`)))
    rmSync(join(folder, "node_modules/vitrine", path.slice(1)));
  writeFileSync(join(folder, "vitrine-imports.mjs"), program);
  const file = join(folder, "src/shop/shop.ts");
  writeFileSync(
    file,
    `import {
  createStorefront,
  exportReply,
  type Observer,
  type PaymentGateway as Gateway,
} from "vitrine";
export type { LimitStore, Order, ProductInput, Sent, Serve } from 'vitrine';
import { paths } from "vitrine";
import { toNode } from "vitrine/node";
`,
  );
  execFileSync(process.execPath, ["vitrine-imports.mjs", "src"], { cwd: folder });

  expect(readFileSync(file, "utf8")).toBe(`import { createStorefront } from "vitrine";
import { exportReply } from "vitrine/owner";
import { type Observer } from "vitrine/otel";
import { type PaymentGateway as Gateway } from "vitrine/gateway";
export type { LimitStore } from "vitrine/storage";
export type { Order } from "vitrine";
export type { ProductInput } from "vitrine/owner";
export type { Sent } from "vitrine/transport";
export type { Serve } from "vitrine/node";
import { paths } from "vitrine/openapi";
import { toNode } from "vitrine/node";
`);
});
