import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { timeBox } from "#core/domain/async/time-box.ts";
import type { PaymentGateway } from "#core/payments/gateway/gateway.ts";
import { type HostParts, hostParts } from "#core/startup/host-parts.ts";
import type { Storage } from "#core/storage/types.ts";
import type { Storefront } from "#core/storefront.ts";
import { end } from "./exit.ts";

/** What the configuration exports beside the storefront. All of it may be left out. */
interface HostExports {
  /** The `pg` pool, or the path or the handle of the SQLite file, that the storage is on. */
  readonly database?: unknown;
  /** The PostgreSQL schema of the tables. */
  readonly schema?: string;
  /** The gateways that `conformance` tries. They must be of a provider's test mode. */
  readonly gateways?: readonly PaymentGateway[];
  /** Opens an empty storage for `conformance`, where vitrine cannot make one itself. */
  readonly openStorage?: (name: string) => Storage | Promise<Storage>;
  /** Closes what the configuration opened. */
  readonly close?: () => unknown;
}

/** A host in this process, as its configuration exports it. */
export interface Host extends HostExports {
  readonly file: string;
  readonly storefront: Storefront;
  readonly parts: HostParts;
}

export const configNames = ["vitrine.config.mjs", "vitrine.config.js", "vitrine.config.ts"];

/** Finds the configuration of a folder. Gives undefined where there is none. */
export const findConfig = (folder: string): string | undefined =>
  configNames.map((name) => resolve(folder, name)).find((file) => existsSync(file));

/** Opens the host of a configuration. */
export async function openHost(file: string): Promise<Host> {
  if (!existsSync(file)) end("usage", `${file} does not exist.`);

  const exported = await load(file);
  const made = exported["storefront"] ?? exported["default"];
  const storefront: unknown = await (typeof made === "function" ? made() : made);
  if (!isStorefront(storefront))
    return end("usage", `${file} must export \`storefront\`: what createStorefront gives.`);

  const { [hostParts]: parts } = storefront;
  return { ...(exported as HostExports), file, storefront, parts };
}

type OpenStorefront = Storefront & { readonly [hostParts]: HostParts };

const isStorefront = (value: unknown): value is OpenStorefront =>
  typeof value === "object" && value !== null && hostParts in value;

/** Closes the storefront, and what its configuration opened for it. */
export async function closeHost({ storefront, close }: Host): Promise<void> {
  await storefront.close();
  // A pool ends after its connections, and one to a server that never answers does not come.
  await timeBox(close?.(), closeMs, () => undefined);
}

const closeMs = 5_000;

type Exports = Readonly<Record<string, unknown>>;

async function load(file: string): Promise<Exports> {
  const url = pathToFileURL(file).href;
  if (!file.endsWith(".ts") || stripsTypes()) return import(url);

  const tsx = findTsx(file);
  if (!tsx)
    return end(
      "usage",
      `This Node (${process.version}) does not read ${file}. Use Node 22.18 or later, which` +
        " strips the types, or install tsx in this project: npm install --save-dev tsx",
    );
  const { tsImport } = (await import(tsx)) as { tsImport(url: string, from: string): unknown };
  return (await tsImport(url, url)) as Exports;
}

/** `process.features.typescript` is false or "strip" since Node 22.10. */
const stripsTypes = (): boolean =>
  Boolean((process.features as { readonly typescript?: unknown }).typescript);

interface TsxManifest {
  readonly exports: { readonly "./esm/api": { readonly import: { readonly default: string } } };
}

/**
 * Finds the project's `tsx/esm/api` for `import`. `require.resolve` would give the form for
 * `require`, whose hooks tsx 4.23 looks for in a folder that is not there.
 */
function findTsx(file: string): string | null {
  try {
    const require = createRequire(file);
    const { exports } = require("tsx/package.json") as TsxManifest;
    const entry = exports["./esm/api"].import.default;
    return new URL(entry, pathToFileURL(require.resolve("tsx/package.json"))).href;
  } catch {
    return null;
  }
}
