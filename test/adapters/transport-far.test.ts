import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeTransport } from "vitrine/transport";

// Answers no connection for a while when told so: what comes then waits for the kernel's second try, a second later.
const receiver = `
const server = require("node:http").createServer((_request, response) => response.end("ok"));
server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.send(server.address().port));
process.on("message", (ms) => {
  process.send("busy");
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms));
});
`;

test("a receiver that takes a second to connect is not given up for its unreachable other address", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-far-"));
  writeFileSync(join(folder, "receiver.cjs"), receiver);
  const child = fork(join(folder, "receiver.cjs"), { execArgv: [] });
  const crowd: Socket[] = [];
  try {
    const [port] = (await once(child, "message")) as [number];
    child.send(900);
    await once(child, "message");
    for (let number = 0; number < 4; number += 1)
      crowd.push(connect(port, "127.0.0.1").on("error", () => {}));
    await new Promise((done) => setTimeout(done, 100));
    const target = `http://hooks.far-example.com:${port}`;
    const resolveAllowed = async () => ["127.0.0.1", "127.0.0.2"];
    const transport = nodeTransport({ allowTargets: [target], resolveAllowed, warn: () => {} });
    const sent = await transport.send({
      url: `${target}/in`,
      headers: {},
      body: "{}",
      timeoutMs: 15_000,
    });
    transport.close();
    expect(sent).toMatchObject({ ok: true, status: 200 });
  } finally {
    for (const socket of crowd) socket.destroy();
    child.kill();
    rmSync(folder, { recursive: true });
  }
});
