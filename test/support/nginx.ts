import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";

export interface Nginx {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts nginx in front of `upstream`, configured as its manual shows a reverse proxy. */
export async function startNginx(upstream: number): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-nginx-"));
  const port = await freePort();
  writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, upstream));
  const child = spawn(
    process.env["NGINX"] ?? "nginx",
    ["-p", folder, "-c", "nginx.conf", "-e", "stderr"],
    { stdio: "inherit" },
  );
  await accepting(port, child);
  return {
    port,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const configuration = (folder: string, port: number, upstream: number): string => `
${process.getuid?.() === 0 ? "user root;" : ""}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream host { server 127.0.0.1:${upstream}; keepalive 4; }
  proxy_http_version 1.1;
  proxy_set_header Connection "";
  proxy_set_header Host $host;
  proxy_set_header X-Real-IP $remote_addr;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  server {
    listen 127.0.0.1:${port};
    location /v1/ { proxy_pass http://host; }
    location /cut/v1/ { proxy_pass http://host/v1/; }
    location /streamed/v1/ { proxy_pass http://host/v1/; proxy_request_buffering off; }
  }
}
`;

async function accepting(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error("nginx ended: see its words above.");
    const socket = connect(port, "127.0.0.1");
    const open = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "error").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error("nginx does not listen.");
}
