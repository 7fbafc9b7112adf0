import { expect, test } from "vitest";
import { alertFaults, openTroubledShop } from "../support/alert-faults.ts";

const faults = Object.entries(alertFaults).flatMap(([type, fault]) =>
  fault ? [[type, fault] as const] : [],
);

test.each(faults)("an alert of the type %s is raised by its fault", async (type, fault) => {
  const world = await openTroubledShop();
  await fault(world);
  await world.storefront.runMaintenance();
  // An unknown payment is of no store.
  const shown = async () => [...(await world.alerts()).map((alert) => alert.type), ...world.told];
  await expect.poll(shown).toContain(type);
  await world.storefront.close();
});
