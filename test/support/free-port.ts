import { once } from "node:events";
import { createServer } from "node:net";

/** Finds a port that is free now. With "localhost" it is free on both loopback addresses. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 0;
}
