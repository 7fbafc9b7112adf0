// Receives webhooks in a process of its own, on bare sockets, so that the competing senders do not
// wait for it.
import { createServer } from "node:net";
import { announce } from "./shared.ts";

const blankLine = Buffer.from("\r\n\r\n");
const taken = Buffer.from(
  `HTTP/1.1 204 No Content\r\ndate: ${new Date().toUTCString()}\r\nconnection: keep-alive\r\n\r\n`,
);

const server = createServer({ noDelay: true }, (socket) => {
  let bytes: Buffer = Buffer.alloc(0);
  socket.on("error", () => {}); // A sender may reset its connection at the end.
  socket.on("data", (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf(blankLine);
      if (end < 0) return;
      const length = Number(
        /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1] ?? 0,
      );
      if (bytes.length < end + 4 + length) return;
      bytes = bytes.subarray(end + 4 + length);
      socket.write(taken);
    }
  });
});
await announce(server, { key: "", slugs: [], product_ids: [] });
