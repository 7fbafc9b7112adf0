import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Carries out the steps of a project's Dockerfile in a folder that takes the place of the image:
 * what no COPY brings is not there. Of the RUN steps it does those of npm; the others are about
 * users and rights of the container. Gives the variables and the command of the container.
 */
export function buildByDockerfile({ project, context, image, packed, env }) {
  copyWithoutIgnored(project, context);
  mkdirSync(image);
  // A published package needs no file of its own.
  cpSync(packed, join(image, basename(packed)));

  const variables = {};
  let command = [];
  for (const line of readFileSync(join(project, "Dockerfile"), "utf8").split("\n")) {
    const [, step, rest] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (step === "ENV") Object.assign(variables, Object.fromEntries([rest.split("=")]));
    if (step === "COPY") shell(`cp -R ${rest.replace(/ \.\/$/, ` "${image}"`)}`, context);
    if (step === "RUN" && rest.startsWith("npm ")) shell(rest, image, { ...env, ...variables });
    if (step === "CMD") command = JSON.parse(rest);
  }
  return { variables, command };
}

function copyWithoutIgnored(project, context) {
  const ignored = readFileSync(join(project, ".dockerignore"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((name) => new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`));
  cpSync(project, context, {
    recursive: true,
    filter: (path) => path === project || !ignored.some((name) => name.test(basename(path))),
  });
}

function shell(line, cwd, env = {}) {
  const { status, stdout, stderr } = spawnSync("sh", ["-c", line], {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`\`${line}\` ended with ${status}:\n${stdout}${stderr}`);
}
