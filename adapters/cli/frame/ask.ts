import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks on stderr and reads a line, so that stdout holds the result alone. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await answerOf(lines, question)).trim();
  } finally {
    lines.close();
  }
}

/** Reads a line that the terminal does not show. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await answerOf(lines, "")).trim();
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}

async function answerOf(lines: ReturnType<typeof createInterface>, question: string) {
  lines.setPrompt(question);
  lines.prompt();
  const [line] = await Promise.race([once(lines, "line"), once(lines, "close")]);
  return typeof line === "string" ? line : "";
}
