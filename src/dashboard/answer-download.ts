import { exportReply } from "../http/export-reply.ts";
import type { WireReply } from "../http/wire.ts";
import { may } from "./access.ts";
import { messageReply } from "./message-page.ts";
import { downloadReply } from "./replies.ts";
import type { Download, StoreVisit } from "./screen.ts";

/** Answers with a file. It checks the request before the first part of the file is sent. */
export async function answerDownload(visit: StoreVisit, download: Download): Promise<WireReply> {
  const { parts, settings, language, access, request } = visit;
  if (!may(access, download.action)) return messageReply(settings, language, "forbidden");
  if (request.method === "POST") return messageReply(settings, language, "method_not_allowed");

  const file = await download.open(visit);
  return downloadReply(exportReply(file, (error) => parts.onError(error, "dashboard")));
}
