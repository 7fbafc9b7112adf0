import { createConnection } from "node:net";
import type { Served } from "./server.ts";

export interface Load {
  readonly method?: "GET" | "POST";
  /** Gives the headers of each path, beside those of every request. */
  readonly headers?: (path: string) => Readonly<Record<string, string>>;
  readonly paths: readonly string[];
  /** Gives the body of the n-th request. Each has its own idempotency key and buyer's address. */
  readonly body?: (index: number) => string;
  readonly seconds: number;
  readonly connections?: number;
  /** Only answers with this status count. */
  readonly status: number;
}

export interface Answered {
  readonly perSecond: number;
  /** It is the rate by the processor time of the server, without the load generator's. */
  readonly perCpuSecond: number;
}

let serial = 0;

/** In the first seconds of a work V8 still compiles, so no side is measured by them. */
export const warm = async (server: Served, asked: Load): Promise<void> =>
  void (await load(server, { ...asked, seconds: asked.seconds * 2 }));

/**
 * Counts answers over kept-alive connections with one open request each, after a warm-up. It uses
 * bare sockets, because on two cores a client that parses would be the limit.
 */
export async function load(
  server: Served,
  asked: Load,
  /** Gives the milliseconds of a processor that others spent for the server until now. */
  spentBeside: () => Promise<number> = async () => 0,
): Promise<Answered> {
  let answers = 0;
  let over = false;
  const asking = askAll(server, asked, () => {
    answers += 1;
    return !over;
  });
  const window = async (): Promise<Answered> => {
    await sleep(asked.seconds * 250);
    const cpu = async () => (await server.usage()).cpu_ms + (await spentBeside());
    const before = { answers, at: performance.now(), cpu_ms: await cpu() };
    await sleep(asked.seconds * 1_000);
    const took = performance.now() - before.at;
    const made = answers - before.answers;
    const cpu_ms = await cpu();
    return {
      perSecond: (made / took) * 1_000,
      perCpuSecond: (made / (cpu_ms - before.cpu_ms)) * 1_000,
    };
  };
  try {
    const failed = Promise.all(asking).then((): never => {
      throw new Error(`${server.url} ended its connections.`);
    });
    return await Promise.race([window(), failed]);
  } finally {
    over = true;
    await Promise.allSettled(asking);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** What a server still does behind its last answer has ended after this time. */
const behindMs = 50;

/** Milliseconds of a processor: the server's own, and those that others spent for it. */
export interface Spent {
  readonly node: number;
  readonly beside: number;
}

/** Gives what each of exactly so many answers took, with what the server did behind them. */
export async function cpuPerAnswer(
  server: Served,
  asked: Load & { readonly answers: number },
  /** Milliseconds of a processor that others spent for the server until now. */
  spentBeside: () => Promise<number> = async () => 0,
): Promise<Spent> {
  const cpu = async (): Promise<Spent> => ({
    node: (await server.usage()).cpu_ms,
    beside: await spentBeside(),
  });
  const before = await cpu();
  let begun = asked.connections ?? defaultConnections;
  await Promise.all(askAll(server, asked, () => begun++ < asked.answers));
  await sleep(behindMs);

  const after = await cpu();
  return {
    node: (after.node - before.node) / asked.answers,
    beside: (after.beside - before.beside) / asked.answers,
  };
}

const defaultConnections = 32;

/** Asks over each connection until `goesOn`, which is called after each answer, returns false. */
function askAll(server: Served, asked: Load, goesOn: () => boolean): Promise<void>[] {
  const { host, hostname, port } = new URL(server.url);
  const next = requests(server, host, asked);
  const answered = (status: number, bytes: Buffer): boolean => {
    if (status !== asked.status)
      throw new Error(`${server.url} answered ${status}: ${bytes.toString("utf8", 0, 800)}`);
    return goesOn();
  };
  return Array.from({ length: asked.connections ?? defaultConnections }, () =>
    ask(hostname, Number(port), next, answered),
  );
}

function requests(
  server: Served,
  host: string,
  { method = "GET", headers = () => ({}), paths, body }: Load,
): () => string {
  const heads = paths.map((path) => {
    const own = Object.entries({ host, authorization: `Bearer ${server.key}`, ...headers(path) });
    const lines = own.map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} /v1${path} HTTP/1.1\r\n${lines.join("")}`;
  });
  return () => {
    const index = ++serial;
    const head = heads[index % heads.length] ?? "";
    if (!body) return `${head}\r\n`;
    const text = body(index);
    const buyer = `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
    const own = [
      `idempotency-key: bench-${process.pid}-${index}`,
      `x-service-buyer-ip: ${buyer}`,
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(text)}`,
    ];
    return `${head}${own.join("\r\n")}\r\n\r\n${text}`;
  };
}

/** Opens a connection that asks again after each answer, while `answered` returns true. */
function ask(
  hostname: string,
  port: number,
  next: () => string,
  answered: (status: number, bytes: Buffer) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: hostname, port, noDelay: true });
    let bytes: Buffer | null = null;
    socket.on("connect", () => socket.write(next()));
    socket.on("error", reject);
    socket.on("close", () => resolve());
    socket.on("data", (chunk: Buffer) => {
      bytes = bytes === null ? chunk : Buffer.concat([bytes, chunk]);
      if (!isWhole(bytes)) return;
      const status = Number(bytes.toString("latin1", 9, 12));
      try {
        if (answered(status, bytes)) socket.write(next());
        else socket.destroy();
      } catch (error) {
        socket.destroy();
        reject(error);
      }
      bytes = null;
    });
  });
}

const blankLine = Buffer.from("\r\n\r\n");
const lastChunk = Buffer.from("\r\n0\r\n\r\n");

function isWhole(bytes: Buffer): boolean {
  const end = bytes.indexOf(blankLine);
  if (end < 0) return false;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (length) return bytes.length >= end + 4 + Number(length[1]);
  return !/\r\ntransfer-encoding: chunked/i.test(head) || bytes.indexOf(lastChunk, end) >= 0;
}
