import { bodyOf, createPoster, perSecond, pooled, urlOf, type Work } from "./work.ts";

/** Signs and posts without storing anything, which is the most that a queue can reach. */
export async function bareLoop(work: Work): Promise<number> {
  const poster = createPoster(work.open);
  try {
    return await perSecond(work.posts, () =>
      pooled(work.posts, work.open, (index) =>
        poster.post(urlOf(work, index), `evt_${index}`, bodyOf(`evt_${index}`)),
      ),
    );
  } finally {
    poster.close();
  }
}
