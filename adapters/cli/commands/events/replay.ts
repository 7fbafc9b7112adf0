import { type Call, end } from "../../frame/command.ts";

/** Makes the final deliveries of a span of time due again, for one endpoint. */
export async function run({ host, store, input, screen }: Call): Promise<void> {
  const { store_id, livemode } = store();
  const now = Date.now();
  const since = input.moment("since", now) ?? end("usage", "--since is missing.");
  const until = input.moment("until", now);
  const id = input.text("endpoint") ?? "";

  const { endpoints } = host().storefront.owner;
  const range = { since, ...(until !== undefined && { until }) };
  const result = await endpoints.recover({ store_id, livemode }, id, range);
  screen.result(result, () => [
    `${result.recovered} deliveries are due again. They go with the next drain.`,
  ]);
}
