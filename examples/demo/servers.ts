import { createServer, type Server } from "node:http";

/** Listens on both loopback addresses, because `localhost` may mean either. */
export async function listen(
  port: number,
  listener: Parameters<typeof createServer>[1],
): Promise<Server[]> {
  const first = await listenOn(createServer({}, listener), port, "127.0.0.1");
  const second = await listenOn(createServer({}, listener), portOf([first]), "::1").catch(
    () => null,
  );
  return second ? [first, second] : [first];
}

export function portOf([server]: readonly Server[]): number {
  const address = server?.address();
  if (!address || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

const listenOn = (server: Server, port: number, host: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => resolve(server));
  });
