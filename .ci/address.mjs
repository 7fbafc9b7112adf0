// The address of the repository, in one place.
//   node .ci/address.mjs https://github.com/you/vitrine   writes what package.json says of it
//   node .ci/address.mjs                                    checks it, as `npm publish` does first
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

const file = "package.json";
const manifest = JSON.parse(readFileSync(file, "utf8"));
const { positionals } = parseArgs({ allowPositionals: true });

/** Gives the fields that npm shows beside a package, all from the one address. */
const fieldsOf = (address) => ({
  homepage: `${address}#readme`,
  bugs: `${address}/issues`,
  repository: { type: "git", url: `git+${address}.git` },
});

function fail(message) {
  console.error(message);
  process.exit(1);
}

/** The address without `.git` and without a slash at its end. */
function readAddress(text) {
  const address = text.replace(/\/+$/, "").replace(/\.git$/, "");
  const isAddress = /^https:\/\/[^\s/?#@]+(\/[\w.~-]+){2,}$/.test(address);

  if (!isAddress)
    fail(`${text} is not the https address of a repository: https://github.com/you/vitrine`);
  return address;
}

function write(address) {
  const { name, version, description, license, ...rest } = manifest;
  const about = { name, version, description, license, ...fieldsOf(address) };

  writeFileSync(file, `${JSON.stringify({ ...about, ...rest, ...about }, null, 2)}\n`);
  console.log(`package.json names ${address}: homepage, bugs and repository.`);
}

function check() {
  const url = manifest.repository?.url;
  if (url === undefined)
    fail(`package.json does not say where the repository is. Write its address once:
  node .ci/address.mjs https://github.com/you/vitrine`);

  const address = readAddress(url.replace(/^git\+/, ""));
  for (const [field, value] of Object.entries(fieldsOf(address)))
    if (JSON.stringify(manifest[field]) !== JSON.stringify(value))
      fail(`${field} of package.json disagrees with its repository. Write the address once:
  node .ci/address.mjs ${address}`);
}

if (positionals.length > 1) fail("Only one address can be written.");
else if (positionals[0] === undefined) check();
else write(readAddress(positionals[0]));
