import { get } from "node:http";
import { inject } from "vitest";

const asked = new Map<string, Promise<string>>();

/** The URL of the run's PostgreSQL, which the first call of any worker starts. */
export const postgresUrl = (): Promise<string> => askOnce("/");

/** The same by its socket file, for whoever does not read a host and a port in the URL. */
export const postgresSocketUrl = (): Promise<string> => askOnce("/socket");

function askOnce(path: string): Promise<string> {
  const url = asked.get(path) ?? askLauncher(path);
  asked.set(path, url);
  return url;
}

/** Asks by node:http, because some tests replace the global fetch. */
function askLauncher(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(inject("postgresLauncher") + path, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();

      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`PostgreSQL did not start: ${text}`));
    });
    request.on("error", reject);
  });
}
