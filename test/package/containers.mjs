// Builds the image of each starter by its Dockerfile, from the packed package, and runs it on
// SQLite in a volume: it sells, its process is not root, SIGTERM ends it in order, and a second
// container finds the order of the first. It needs `npm run build` before, and a container engine
// that can get node:22-slim: Docker, or the one that CONTAINER_ENGINE=podman names.
// `node test/package/containers.mjs next` tries one starter alone. What your engine needs beside
// it goes into the engine's own configuration, such as CONTAINERS_CONF and BUILDAH_ISOLATION.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { ask } from "./purchase.mjs";
import { readPrinted, sell, settingsOfServer, starters } from "./sell.mjs";
import { pack, run, start } from "./try-host.mjs";

const engine = process.env.CONTAINER_ENGINE || "docker";
const secondsToEnd = 30;
const sqliteInVolume = "SQLITE_FILE=/data/shop.sqlite";

/** What a project has beside its sources, and what must not get into an image. */
const privateFiles = [".env", ".env.local", "shop.sqlite", "node_modules/of-the-host", ".git/HEAD"];

/** Calls the engine, and gives what it wrote. */
function call(...args) {
  return execFileSync(engine, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function hasEngine() {
  try {
    execFileSync(engine, ["info"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Copies a starter out of the package, and has it take the package from the tarball. */
function makeProject(folder, name, packed) {
  const project = join(folder, name);
  cpSync(join(folder, "package/examples", `starter-${name}`), project, { recursive: true });
  cpSync(packed, join(project, basename(packed)));
  const packages = [`./${basename(packed)}`, ...starters[name].versions].join(" ");
  run(`npm install --package-lock-only ${packages}`, project);

  for (const file of privateFiles) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), "");
  }
  return project;
}

/** Builds by the project's Dockerfile, and one line that a published package does not need. */
function build(project, image) {
  const dockerfile = join(project, "Dockerfile");
  const text = readFileSync(dockerfile, "utf8");
  const changed = text.replace(/^RUN npm ci/m, "COPY *.tgz ./\n$&");
  assert.notEqual(changed, text, "The Dockerfile installs by `npm ci`.");
  writeFileSync(dockerfile, changed);
  execFileSync(engine, ["build", "--tag", image, project], { stdio: "inherit" });

  const script = `${JSON.stringify(privateFiles)}.filter((file) => fs.existsSync(file)).join()`;
  const leaked = call("run", "--rm", image, "node", "--print", script).trim();
  assert.equal(leaked, "", "The image holds what .dockerignore keeps out.");
}

/** Runs a new container on the volume, as the starter's README says. */
function startContainer(image, options, port) {
  const container = `${image}-${randomUUID().slice(0, 8)}`;
  const names = ["--rm", "--name", container, "--publish", `${port}:${port}`];
  const server = start([engine, "run", ...names, ...options, image], tmpdir(), {}, () =>
    // One that does not end in this time is killed, and its status is 137.
    call("stop", "-t", String(secondsToEnd), container),
  );
  return { container, server };
}

async function sellTwice(name, project, image) {
  const environmentFile = join(project, ".env");
  const options = [
    "--env-file",
    environmentFile,
    "--env",
    sqliteInVolume,
    "--volume",
    `${image}:/data`,
  ];
  const given = await settingsOfServer();
  const write = (settings) => {
    const lines = Object.entries(settings).map(([variable, value]) => `${variable}=${value}\n`);
    writeFileSync(environmentFile, lines.join(""));
  };
  write(given);
  const setUp = ["run", "--rm", ...options, image, "node", "--import", "tsx", "setup.ts"];
  const settings = { ...given, ...readPrinted(call(...setUp)) };
  write(settings);

  const starter = starters[name];
  const sellInContainer = (orderNumber, check) => {
    const { container, server } = startContainer(image, options, settings.PORT);
    const checks = async (origin) => {
      await starter.check(origin);
      await check(container);
    };
    return sell({ ...starter, check: checks }, server, settings, orderNumber);
  };

  const checkoutUrl = await sellInContainer(1, (container) => {
    const user = call("exec", container, "stat", "--format", "%U", "/proc/1").trim();
    assert.equal(user, "node", "The server runs as the user node.");
  });
  await sellInContainer(2, async () => {
    const headers = { "accept-language": "en" };
    const page = await (await ask(checkoutUrl, { headers }, 200)).text();
    assert.match(page, /Order 1\b/, "The second container knows the first order.");
  });
}

if (!hasEngine()) {
  console.error(
    `No container engine answers to \`${engine} info\`: install Docker and start it, ` +
      "or install Podman and set CONTAINER_ENGINE=podman.",
  );
  process.exit(1);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(starters);
const folder = mkdtempSync(join(tmpdir(), "vitrine-containers-"));
try {
  const packed = pack(folder);
  run(`tar -xzf ${packed}`, folder);

  for (const name of names) {
    const began = Date.now();
    const image = `vitrine-starter-${name}-${randomUUID().slice(0, 8)}`;
    const project = makeProject(folder, name, packed);
    try {
      build(project, image);
      await sellTwice(name, project, image);
    } finally {
      for (const kind of ["volume", "image"]) call(kind, "rm", "--force", image);
    }
    const seconds = Math.round((Date.now() - began) / 1_000);
    console.log(`${name}: built, and sold from two containers on one volume in ${seconds} s`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
