import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { filesBelow, root } from "./markdown.ts";

/** Projects of their own, which need more than Node: see vitest.config.ts. */
const ofOtherProjects =
  /^test\/(browser|proxy|pgbouncer|broker|languages|prometheus|mcp|citus|versions)\//;

/** What starts a process, opens a socket or a database, or runs a compiler. */
const slow =
  /^(node:(child_process|cluster|https?|net|worker_threads)|pg|better-sqlite3|esbuild|typescript|vitrine\/(postgres|sqlite))$/;

/** Hosts on sockets, waits for a deadline, attacks of many rounds, documents of the repository. */
const long =
  /^test\/(adapters|attack|chaos|conformance|demo|docs|package|postgres|processes|providers|sqlite)\/|^test\/(client\/retries|webhooks\/engine|payments\/(consume-events|maintenance|relay-events))\./;

const imported =
  /^\s*(?:import|export)\s+(?!type\b)[^"';]*?from "([^"]+)"|^import "([^"]+)"|import\("([^"]+)"\)/gm;

/** The import whose target the project replaces by memory alone. */
const storages = /^import \{ storages \} from "[./]+support\/storages\.ts";$/gm;

/**
 * Lists the test files of `npm test -- --quick`: those that reach neither a database nor a process
 * by their imports, types aside. The list of storages counts as memory alone, which the project puts
 * in its place.
 */
export function quickFiles(): string[] {
  const known = new Map<string, boolean>();

  const isQuick = (file: string): boolean => {
    const answer = known.get(file);
    if (answer !== undefined) return answer;

    // A circle of imports is as quick as the rest of its files.
    known.set(file, true);
    const text = readFileSync(file, "utf8").replace(storages, "");
    const quick = [...text.matchAll(imported)].every(([, ...names]) => {
      const name = names.find((found) => found !== undefined) ?? "";
      if (!name.startsWith(".")) return !slow.test(name);
      const target = resolve(dirname(file), name);
      return !existsSync(target) || isQuick(target);
    });
    known.set(file, quick);
    return quick;
  };

  return filesBelow("test").filter(
    (file) =>
      file.endsWith(".test.ts") &&
      !ofOtherProjects.test(file) &&
      !long.test(file) &&
      isQuick(join(root, file)),
  );
}
