// These are complete receivers of webhooks. They use only what their languages bring. A test runs
// each of them.

export const javascriptReceiver = `
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET; // The secret includes its whsec_.
const port = Number(process.env.PORT ?? 4000);

function isGenuine(header, body) {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const times = parts.filter(([name]) => name === "t").map(([, value]) => value);
  if (times.length !== 1 || !/^[0-9]{1,12}$/.test(times[0])) return false;
  if (Math.abs(Date.now() / 1000 - Number(times[0])) > 300) return false;

  const own = createHmac("sha256", secret).update(times[0] + ".").update(body).digest();
  return parts.some(([name, hex]) => {
    const given = Buffer.from(hex ?? "", "hex");
    return name === "v1" && given.length === own.length && timingSafeEqual(given, own);
  });
}

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);

  if (!isGenuine(request.headers["x-service-signature"] ?? "", body)) {
    response.writeHead(400).end();
    return;
  }
  const event = JSON.parse(body.toString());
  console.log(event.type, event.id);
  response.writeHead(200).end();
});
server.listen(port, "127.0.0.1", () => console.log("listening"));
`.trim();

export const pythonReceiver = `
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()  # The secret includes its whsec_.
PORT = int(os.environ.get("PORT", "4000"))


def is_genuine(header: str, body: bytes) -> bool:
    parts = [part.strip().partition("=") for part in header.split(",")]
    times = [value for name, _, value in parts if name == "t"]
    if len(times) != 1 or not re.fullmatch("[0-9]{1,12}", times[0]):
        return False
    if abs(time.time() - int(times[0])) > 300:
        return False

    own = hmac.new(SECRET, times[0].encode() + b"." + body, hashlib.sha256).hexdigest().encode()
    given = [value.encode() for name, _, value in parts if name == "v1"]
    return any([hmac.compare_digest(own, one) for one in given])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        genuine = is_genuine(self.headers.get("X-Service-Signature", ""), body)
        if genuine:
            event = json.loads(body)
            print(event["type"], event["id"], flush=True)
        self.send_response(200 if genuine else 400)
        self.end_headers()


server = HTTPServer(("127.0.0.1", PORT), Receiver)
print("listening", flush=True)
server.serve_forever()
`.trim();
