import { expect, test } from "vitest";
import { alertFaults, openTroubledShop } from "../support/alert-faults.ts";

const faults = Object.entries(alertFaults).flatMap(([type, fault]) =>
  fault ? [[type, fault] as const] : [],
);

test.each(faults)("an alert of the type %s is raised by its fault", async (type, fault) => {
  const world = await openTroubledShop();
  await fault(world);
  const told = async () => (await world.owner.alerts.list(world.a.id)).data.map((one) => one.type);
  const shown = async () => (await told()).concat(world.alerts as never[]);
  await world.storefront.runMaintenance();
  await expect.poll(shown).toContain(type);
  await world.storefront.close();
});
