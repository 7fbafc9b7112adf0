import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ask } from "../../frame/ask.ts";
import { type Call, end } from "../../frame/command.ts";
import { packageRange } from "../../frame/version.ts";
import { type DatabaseName, databaseNames, type HostName, hostNames } from "./names.ts";
import { manifestFor, type Plan, projectFiles } from "./templates.ts";

/** Writes a host that runs at once into this folder. Overwrites nothing. */
export async function run(call: Call): Promise<void> {
  const { folder, input, screen } = call;
  const plan: Plan = {
    host: (await choose(call, "host", hostNames)) as HostName,
    database: (await choose(call, "database", databaseNames)) as DatabaseName,
    port: input.number("port", 1) ?? 3000,
    sealKey: randomBytes(32).toString("base64"),
    range: packageRange(),
  };

  const files = projectFiles(plan);
  const taken = Object.keys(files).filter((name) => existsSync(join(folder, name)));
  if (taken.length > 0)
    end("failed", `Here are files already that init would write: ${taken.join(", ")}.`);
  // The secret must never be committed, so git's list comes before the file.
  ignoreFiles(folder, [".env", ".vitrine/", "node_modules/", "*.sqlite*"]);
  for (const [name, text] of Object.entries(files)) writeNew(folder, name, text);
  mergeManifest(folder, manifestFor(plan));

  const installs = input.flag("install");
  if (installs) install(folder);
  const steps = [...(installs ? [] : ["npm install"]), "npm start", "npx vitrine seed"];
  const { host, database } = plan;
  screen.result({ host, database, files: Object.keys(files), next: steps }, () => [
    ...Object.keys(files).map((name) => `  ${screen.paint.good("+")} ${name}`),
    "",
    ...(database === "postgres" ? databaseLines : []),
    "Next, the last one in a second terminal:",
    ...steps.map((step) => `  $ ${step}`),
  ]);
}

const databaseLines: readonly string[] = [
  "Create the database first: DATABASE_URL in .env names it, and is yours to change.",
  "  $ createdb shop",
  "",
];

async function choose(
  { input, screen }: Call,
  name: string,
  choices: readonly string[],
): Promise<string> {
  const given = input.text(name);
  if (given !== undefined) return given;

  const [usual = ""] = choices;
  if (!screen.interactive) return usual;
  const answer = await ask(`Which ${name}? ${choices.join(", ")} [${usual}] `);
  if (answer === "") return usual;
  return choices.includes(answer) ? answer : end("usage", `There is no ${name} ${answer}.`);
}

function ignoreFiles(folder: string, names: readonly string[]): void {
  const file = join(folder, ".gitignore");
  const before = existsSync(file) ? readFileSync(file, "utf8") : "";
  const known = new Set(before.split(/\r?\n/));
  const missing = names.filter((name) => !known.has(name));
  const gap = before === "" || before.endsWith("\n") ? "" : "\n";
  if (missing.length > 0) appendFileSync(file, `${gap}${missing.join("\n")}\n`);
}

function writeNew(folder: string, name: string, text: string): void {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { flag: "wx", mode: name === ".env" ? 0o600 : 0o644 });
}

type Manifest = Readonly<Record<string, unknown>>;

/** What the project's package.json says already wins over what init would say. */
function mergeManifest(folder: string, added: ReturnType<typeof manifestFor>): void {
  const file = join(folder, "package.json");
  const own: Manifest = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { name: "shop", private: true };
  const merged: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(added)) {
    if (typeof value === "string") merged[name] = own[name] ?? value;
    else {
      // npm takes a package of both lists for an optional one.
      const known = own[name === "optionalDependencies" ? "dependencies" : name] ?? {};
      const missing = Object.entries(value).filter(([each]) => !(each in (known as object)));
      merged[name] = { ...Object.fromEntries(missing), ...(own[name] as object) };
    }
  }
  writeFileSync(file, `${JSON.stringify(merged, null, 2)}\n`);
}

function install(folder: string): void {
  // The packages' own scripts need no key of a shop.
  const { VITRINE_API_KEY: _key, ...env } = process.env;
  const { status } = spawnSync("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: folder,
    env,
    // npm's own lines are no result: stdout may be JSON.
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status !== 0)
    end("failed", "npm install failed, as it says above. All files are here: run it again.");
}
