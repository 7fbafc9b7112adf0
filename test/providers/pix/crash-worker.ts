import { Agent, request } from "node:https";
import { type PixOptions, pixGateway } from "vitrine/pix";
import { runCrashWorker } from "../../support/crash/worker.ts";

/** How a worker reaches the fake bank. */
export type PixCrashJob = Pick<PixOptions, "baseUrl" | "callback"> & {
  readonly account: Exclude<PixOptions["account"], (...args: never) => unknown>;
};

runCrashWorker((bank: PixCrashJob) => {
  const { certificate: cert, key, ca } = bank.account;
  const agent = new Agent({ cert, key, keepAlive: true, ...(ca && { ca: [ca].flat() }) });

  return {
    gateways: (now) => [pixGateway({ ...bank, livemode: false, now })],
    /** The buyer's bank pays what the code asks for. */
    pay: (action) =>
      new Promise((resolve, reject) => {
        if (action.type !== "qr_code") return reject(new Error("The bank gave no code."));
        const url = new URL(`/payer?code=${encodeURIComponent(action.text)}`, bank.baseUrl);
        const sent = request(url, { method: "POST", agent });
        sent.on("response", (answer) => answer.resume().on("end", resolve));
        sent.on("error", reject);
        sent.end();
      }),
  };
});
