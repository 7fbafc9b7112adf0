import { once } from "node:events";
import { connect, type Socket } from "node:net";

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.on("error", () => {});
  return socket;
}

/**
 * Writes bytes to a socket without a client that would correct them. It reads until the connection
 * ends or `enough` bytes have come.
 */
export async function exchange(
  port: number,
  text: string,
  enough = (_answer: string): boolean => false,
): Promise<string> {
  const socket = await open(port);
  let answer = "";
  const ended = new Promise<void>((done) => {
    socket.on("close", done);
    socket.on("data", (chunk) => {
      answer += chunk;
      if (enough(answer)) done();
    });
  });
  socket.write(text);
  await ended;
  socket.destroy();
  return answer;
}

export const statusOf = (answer: string): number => Number(answer.split(" ")[1]);
