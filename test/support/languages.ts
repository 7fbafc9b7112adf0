import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readText } from "./markdown.ts";

/** How a language's function of docs/signature.md is made a program. */
export interface Language {
  /** The word after the three backticks. */
  readonly fence: string;
  /** The program that must be installed. */
  readonly needs: string;
  /** The files of the program, made from the guide's block. */
  files(block: string): Readonly<Record<string, string>>;
  /** Commands that build it once, in its folder. */
  readonly build?: readonly (readonly string[])[];
  /**
   * The command that runs it. For each delivery the body's file, the header, the secret and the
   * time follow, and it prints `true` or `false` on a line.
   */
  readonly run: readonly string[];
}

export interface Delivery {
  readonly name: string;
  readonly body: Uint8Array;
  readonly header: string;
  readonly secret: string;
  /** Unix seconds. */
  readonly now: number;
  readonly accepted: boolean;
}

export const isInstalled = ({ needs }: Pick<Language, "needs">): boolean => {
  try {
    execFileSync("sh", ["-c", `command -v ${needs}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Which of the deliveries a program accepts that is made from the guide. */
export function acceptedBy({ fence, files, build = [], run }: Language): readonly boolean[] {
  const blocks = new RegExp(`^\`\`\`${fence}\\n([\\s\\S]*?)^\`\`\``, "m");
  const [, block] = blocks.exec(readText("docs/signature.md")) ?? [];
  if (block === undefined) throw new Error(`docs/signature.md has no block of ${fence}.`);

  const folder = mkdtempSync(join(tmpdir(), "vitrine-signature-"));
  for (const [name, text] of Object.entries(files(block))) writeFileSync(join(folder, name), text);
  const call = ([program = "", ...args]: readonly string[]): string =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  for (const command of build) call(command);

  const args = deliveries.flatMap(({ body, header, secret, now }, index) => {
    writeFileSync(join(folder, `body${index}`), body);
    return [`body${index}`, header, secret, String(now)];
  });
  const lines = call([...run, ...args])
    .trim()
    .toLowerCase()
    .split("\n");
  return lines.map((line) => JSON.parse(line));
}

const secret = "whsec_test_secret";
const at = 1_767_225_600;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const body = bytes('{"id":"evt_1","type":"order.paid"}');
const signed = (of: Uint8Array, time: number | string = at, key = secret): string =>
  createHmac("sha256", key).update(`${time}.`).update(of).digest("hex");
const right = signed(body);
const binary = new Uint8Array([...bytes('{"name":"Café ☕ '), 0, 255, 13, 10, 125]);

const delivery = (
  name: string,
  accepted: boolean,
  changes: Partial<Omit<Delivery, "name" | "accepted">> = {},
): Delivery => ({
  name,
  body,
  header: `t=${at},v1=${right}`,
  secret,
  now: at,
  accepted,
  ...changes,
});

export const deliveries: readonly Delivery[] = [
  delivery("the signature of the guide", true),
  delivery("blanks after the comma", true, { header: `t=${at}, v1=${right}` }),
  delivery("the digest of another secret beside the right one", true, {
    header: `t=${at},v1=${signed(body, at, "whsec_old")},v1=${right}`,
  }),
  delivery("a body with bytes that are no text", true, {
    body: binary,
    header: `t=${at},v1=${signed(binary)}`,
  }),
  delivery("300 seconds later", true, { now: at + 300 }),
  delivery("300 seconds early", true, { now: at - 300 }),
  delivery("301 seconds later", false, { now: at + 301 }),
  delivery("301 seconds early", false, { now: at - 301 }),
  delivery("a changed body", false, { body: bytes('{"id":"evt_2","type":"order.paid"}') }),
  delivery("the secret without its whsec_", false, { secret: "test_secret" }),
  delivery("a changed time", false, { header: `t=${at + 1},v1=${right}` }),
  delivery("two times", false, { header: `t=${at},t=${at},v1=${right}` }),
  delivery("a time that is no number", false, {
    header: `t=0x10,v1=${signed(body, "0x10")}`,
    now: 16,
  }),
  delivery("no digest", false, { header: `t=${at}` }),
  delivery("half of the digest", false, { header: `t=${at},v1=${right.slice(0, 32)}` }),
  delivery("a digest that is no ASCII", false, { header: `t=${at},v1=é${right.slice(1)}` }),
  delivery("an empty header", false, { header: "" }),
];
