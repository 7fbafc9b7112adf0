import { once } from "node:events";
import { createServer } from "node:net";

/** A port that nobody listens on at the moment, on both loopback addresses when asked for by "localhost". */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}
