import { base64url, hex } from "../../domain/keys/hash.ts";
import type { MonthOf } from "../../rules/archive/month.ts";
import type { Partition } from "../../rules/records.ts";
import { type ArchivedOrder, readLine } from "./archived-order.ts";

/**
 * The files of an archive, which the host keeps: a folder, or a bucket of an object store.
 * `archiveFolder` of `vitrine/archive` is one. A name has parts with `/` between them.
 */
export interface ArchiveFiles {
  /** Gives the names that begin with a text, in any order. */
  list(prefix: string): Promise<readonly string[]>;
  /** Gives the bytes of a file. Null means that there is none of this name. */
  read(name: string): Promise<Uint8Array | null>;
  /**
   * Writes a whole file, in place of one of this name. It resolves when the bytes outlive the loss
   * of the machine: the orders in them are deleted after that.
   */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Deletes a file. One that is not there is no error. */
  remove(name: string): Promise<void>;
}

/** What a file of orders has. It stands beside the file as JSON. */
export interface ArchiveManifest extends Partition {
  readonly format: 1;
  readonly month: string;
  /** The name of the file of orders. */
  readonly file: string;
  readonly orders: number;
  readonly first_number: number;
  readonly last_number: number;
  /** What was paid and given back, by currency, in minor units. */
  readonly amounts: Readonly<Record<string, { readonly paid: number; readonly refunded: number }>>;
  readonly bytes: number;
  /** The checksum of the file, in hex. */
  readonly sha256: string;
  /** The time at which the file was written, in ISO 8601, in UTC. */
  readonly written_at: string;
}

const modeOf = ({ livemode }: Pick<Partition, "livemode">): string => (livemode ? "live" : "test");

/** Gives the folder of a store and mode, or of one month of it. */
export const folderOf = (partition: Partition, month?: string): string =>
  `${partition.store_id}/${modeOf(partition)}/${month === undefined ? "" : `${month}/`}`;

/** Gives a name for a file of orders that no other call gives, without its ending. */
export const newName = (
  folder: string,
  { first_number, last_number }: Pick<ArchiveManifest, "first_number" | "last_number">,
  random: Uint8Array,
): string => `${folder}${padded(first_number)}-${padded(last_number)}-${base64url(random)}`;

/** Names are sorted like their numbers. */
const padded = (number: number): string => String(number).padStart(10, "0");

const sha256Hex = async (bytes: Uint8Array): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))));

const manifestName = /\/(\d+)-(\d+)-[\w-]+\.json$/;

/** Lists manifests by name, so that older numbers come first: all, or those that span a number. */
async function listManifests(
  files: ArchiveFiles,
  folder: string,
  number?: number,
): Promise<readonly string[]> {
  const names = await files.list(folder);
  return names
    .filter((name) => {
      const [, first, last] = manifestName.exec(name) ?? [];
      if (first === undefined) return false;
      return number === undefined || (Number(first) <= number && number <= Number(last));
    })
    .sort();
}

/** Reads the manifests below a folder one by one, in the order of their names. */
export async function* eachManifest(
  files: ArchiveFiles,
  folder: string,
  number?: number,
): AsyncGenerator<{ readonly name: string; readonly manifest: ArchiveManifest }> {
  for (const name of await listManifests(files, folder, number))
    yield { name, manifest: await readManifest(files, name) };
}

/** Reads the manifests below a folder: all, or those that span a number. */
export async function readManifests(
  files: ArchiveFiles,
  folder: string,
  number?: number,
): Promise<ArchiveManifest[]> {
  const manifests: ArchiveManifest[] = [];
  for await (const { manifest } of eachManifest(files, folder, number)) manifests.push(manifest);
  return manifests;
}

const utf8 = new TextEncoder();
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function writeManifest(
  files: ArchiveFiles,
  name: string,
  manifest: ArchiveManifest,
): Promise<void> {
  await files.write(name, utf8.encode(`${JSON.stringify(manifest, null, 2)}\n`));
  const stored = await readManifest(files, name);
  if (stored.sha256 !== manifest.sha256)
    throw new Error(`The archive has not stored ${name} as it was written.`);
}

/** Reads a manifest. Throws when the file is not one. */
async function readManifest(files: ArchiveFiles, name: string): Promise<ArchiveManifest> {
  const bytes = await files.read(name);
  if (!bytes) throw new Error(`The archive has no file ${name} any more.`);
  const manifest = JSON.parse(textOf(bytes)) as ArchiveManifest;
  if (manifest.format !== 1)
    throw new Error(`${name} has the format ${manifest.format}, which this version cannot read.`);
  return manifest;
}

/** Reads the lines of a file of orders, each without its end. Throws when its bytes are others. */
export async function readLines(
  files: ArchiveFiles,
  { file, sha256, orders }: ArchiveManifest,
): Promise<readonly string[]> {
  const bytes = await files.read(file);
  if (!bytes) throw new Error(`The archive lacks the file ${file}.`);
  if ((await sha256Hex(bytes)) !== sha256)
    throw new Error(`The file ${file} of the archive has other bytes than its manifest says.`);

  const lines = textOf(bytes).split("\n").slice(0, -1);
  if (lines.length !== orders)
    throw new Error(`The file ${file} has ${lines.length} orders, and its manifest ${orders}.`);
  return lines;
}

/** What a file is about, beside what its lines tell. */
export type PartOf = MonthOf & Pick<ArchiveManifest, "written_at">;

/**
 * Writes a file of orders and then its manifest, and reads both again. A process that dies between
 * them leaves a file that nothing names, and the orders where they were.
 */
export async function writePart(
  files: ArchiveFiles,
  { store_id, livemode, month, written_at }: PartOf,
  lines: readonly string[],
  nameOf: (numbers: Pick<ArchiveManifest, "first_number" | "last_number">) => string,
): Promise<ArchiveManifest> {
  const bytes = utf8.encode(lines.join(""));
  const orders = lines.map(readLine);
  const numbers = orders.map(({ number }) => number);
  const range = { first_number: Math.min(...numbers), last_number: Math.max(...numbers) };
  const name = nameOf(range);
  const manifest: ArchiveManifest = {
    format: 1,
    store_id,
    livemode,
    month,
    file: `${name}.jsonl`,
    orders: lines.length,
    ...range,
    amounts: amountsOf(orders),
    bytes: bytes.length,
    sha256: await sha256Hex(bytes),
    written_at,
  };

  await files.write(manifest.file, bytes);
  await readLines(files, manifest);
  await writeManifest(files, `${name}.json`, manifest);
  return manifest;
}

function amountsOf(orders: readonly ArchivedOrder[]): ArchiveManifest["amounts"] {
  const sums = new Map<string, { paid: number; refunded: number }>();
  for (const { currency, paid_at, amount_total, amount_refunded } of orders) {
    const { paid, refunded } = sums.get(currency) ?? { paid: 0, refunded: 0 };
    sums.set(currency, {
      paid: paid + (paid_at === null ? 0 : amount_total),
      refunded: refunded + amount_refunded,
    });
  }
  return Object.fromEntries([...sums].sort());
}

/** A file as it was, and what is in it from now on. */
interface Rewrite {
  readonly manifest: ArchiveManifest;
  /** Without their ends. */
  readonly lines: readonly string[];
  /** Makes the name. */
  readonly random: Uint8Array;
}

/**
 * Writes a file anew under another name, and points its manifest there. A process that dies in
 * between leaves one of the two, whole.
 */
export async function rewritePart(
  files: ArchiveFiles,
  name: string,
  { manifest, lines, random }: Rewrite,
): Promise<void> {
  const bytes = utf8.encode(lines.map((line) => `${line}\n`).join(""));
  const file = `${name.replace(/\.json$/, "")}.${base64url(random)}.jsonl`;
  const written = { ...manifest, file, bytes: bytes.length, sha256: await sha256Hex(bytes) };
  await files.write(file, bytes);
  await readLines(files, written);
  await writeManifest(files, name, written);
  await files.remove(manifest.file);
}
