import { get } from "node:http";
import { inject } from "vitest";

let asked: Promise<string> | undefined;

/** The URL of the run's PostgreSQL, which the first call of any worker starts. */
export function postgresUrl(): Promise<string> {
  asked ??= askLauncher();
  return asked;
}

/** Asks by node:http, because some tests replace the global fetch. */
function askLauncher(): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(inject("postgresLauncher"), async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();

      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`PostgreSQL did not start: ${text}`));
    });
    request.on("error", reject);
  });
}
