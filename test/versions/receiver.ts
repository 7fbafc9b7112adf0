import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A post as it came in. */
export interface Post {
  readonly rawBody: string;
  readonly header: string;
}

/** Takes every post, and keeps it. */
export async function startReceiver() {
  const posts: Post[] = [];
  const server = createServer(async (request, response) => {
    const rawBody = await text(request);
    posts.push({ rawBody, header: String(request.headers["x-service-signature"]) });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { posts, target: `http://127.0.0.1:${port}`, close };
}
