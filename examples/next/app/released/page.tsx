import { connection } from "next/server";
import { released } from "../../releases.ts";

export default async function Released() {
  await connection();
  return (
    <main>
      <h1>Released</h1>
      <ul>
        {released().map((release) => (
          <li key={release.event_id}>
            Order {release.order_number}: {release.items}
          </li>
        ))}
      </ul>
    </main>
  );
}
