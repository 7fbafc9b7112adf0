import type { Call } from "../../frame/command.ts";
import { withSecretFile } from "../../frame/files/secret-file.ts";
import { partitionOf } from "../../frame/store.ts";
import { dueAgain } from "../events/replay.ts";
import { resources } from "./resources.ts";
import { showCreated } from "./run-resource.ts";

/** Enables an endpoint, and sends what it missed where a time is given. */
export async function enable({ host, store, input, screen }: Call): Promise<void> {
  const replay_since = input.moment("replay-since", Date.now());

  const { endpoints } = host().storefront.owner;
  const endpoint = await endpoints.enable(partitionOf(store()), idOf(input), {
    ...(replay_since !== undefined && { replay_since }),
  });
  screen.result(endpoint, () => [
    `${endpoint.id} is enabled.`,
    ...(replay_since === undefined
      ? ["What it missed stays skipped. To send it: vitrine replay."]
      : [dueAgain(endpoint)]),
  ]);
}

/** Disables an endpoint. Its pending deliveries are skipped. */
export async function disable({ host, store, input, screen }: Call): Promise<void> {
  const { endpoints } = host().storefront.owner;
  const endpoint = await endpoints.disable(partitionOf(store()), idOf(input));
  screen.result(endpoint, () => [`${endpoint.id} is disabled. What was pending is skipped.`]);
}

/** Makes a new secret, beside which the old one signs for a while. */
export async function rotateSecret(call: Call): Promise<void> {
  const { host, store, input } = call;
  const overlap = input.span("overlap");

  const { endpoints } = host().storefront.owner;
  await withSecretFile(input, async (file) => {
    const endpoint = await endpoints.rotateSecret(partitionOf(store()), idOf(input), {
      ...(overlap !== undefined && { overlap_seconds: Math.ceil(overlap / 1_000) }),
    });
    return showCreated(call, endpoint, { file, secret: resources.endpoints.secret });
  });
}

const idOf = (input: Call["input"]): string => input.argument(0) ?? "";
