// Installs what a part of the repository needs and `npm start` does not:
//   npm run packages test bench examples/next .ci
// Each of these folders has a package.json and a lock file of its own. Its packages are linked into
// the root's node_modules, so that every file of the repository finds them, and npx their commands.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const rootModules = join(root, "node_modules");
const isWindows = process.platform === "win32";

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** A later `npm install` of the root follows our links, and deletes what it takes for left over. */
function isWhole(home) {
  const listing = join(home, "node_modules/.package-lock.json");
  if (!existsSync(listing)) return false;
  return Object.keys(readJson(listing).packages).every((path) => existsSync(join(home, path)));
}

/** Runs `npm ci`, unless the folder holds what its lock file says. */
function install(folder, home) {
  const stamp = join(home, "node_modules/.installed");
  const lock = readFileSync(join(home, "package-lock.json"), "utf8");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock && isWhole(home)) return;

  console.log(`Installing the packages of ${folder}, once …`);
  const start = Date.now();
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: home,
    stdio: "inherit",
    shell: isWindows,
  });
  writeFileSync(stamp, lock);
  console.log(
    `Installed the packages of ${folder} in ${Math.round((Date.now() - start) / 1000)} s.`,
  );
}

/** Links one package and its commands. What the root has already stays the root's. */
function linkPackage(home, name) {
  const source = join(home, "node_modules", name);
  const link = join(rootModules, name);
  if (existsSync(link)) return;

  replaceLink(source, link, "junction");
  const { bin = {} } = readJson(join(source, "package.json"));
  const commands = typeof bin === "string" ? { [name.split("/").at(-1)]: bin } : bin;
  for (const [command, file] of Object.entries(commands))
    linkCommand(command, {
      shim: join(home, "node_modules/.bin", command),
      file: join(link, file),
    });
}

function linkCommand(command, { shim, file }) {
  const link = join(rootModules, ".bin", command);
  if (!isWindows) replaceLink(file, link, "file");
  // The files that npm writes on Windows name the package beside them, which is the link.
  else for (const ending of ["", ".cmd", ".ps1"]) copyFileSync(shim + ending, link + ending);
}

function replaceLink(target, link, type) {
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  // A junction of Windows takes a whole path; elsewhere the repository may be moved.
  symlinkSync(isWindows ? target : relative(dirname(link), target), link, type);
}

// A package finds itself by its own name, but not from a folder that has a package.json of its own.
replaceLink(root, join(rootModules, readJson(join(root, "package.json")).name), "junction");

for (const folder of process.argv.slice(2)) {
  const home = join(root, folder);
  install(folder, home);
  const { dependencies } = readJson(join(home, "package.json"));
  for (const name of Object.keys(dependencies)) linkPackage(home, name);
}
