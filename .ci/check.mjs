// Checks what tests do not:
//   npm run check                  all of it, in this order
//   npm run check types lint       only these
// `npx biome check --write .` mends the format.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const node = (file, ...args) =>
  execFileSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: "inherit" });

const checks = {
  types: () => node("node_modules/typescript/bin/tsc", "--noEmit"),
  lint: () => node("node_modules/@biomejs/biome/bin/biome", "check", "."),
  unused: () => node("node_modules/knip/bin/knip.js"),
  build: () => node(".ci/build.mjs"),
  // The built package in a fresh project, and the size of each subpath.
  package() {
    node("test/package/consume.mjs");
    node("test/package/lint.mjs");
  },
};

const names = Object.keys(checks);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`No check is named ${unknown.join(", ")}. There are: ${names.join(", ")}.`);
  process.exit(2);
}

node(".ci/packages.mjs", "test", "bench", "examples/next", ".ci");
for (const name of chosen) {
  const start = Date.now();
  console.log(`\n== ${name}`);
  try {
    checks[name]();
  } catch (error) {
    console.error(`\n${name} failed. Run it alone by \`npm run check ${name}\`.`);
    process.exit(error.status || 1);
  }
  console.log(`${name} passed in ${Math.round((Date.now() - start) / 1000)} s.`);
}
