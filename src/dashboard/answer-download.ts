import { exportReply } from "../http/export-reply.ts";
import type { WireReply } from "../http/wire.ts";
import { may } from "./access.ts";
import { messageReply } from "./message-page.ts";
import type { DashboardParts } from "./parts.ts";
import { downloadReply } from "./replies.ts";
import type { Download, StoreVisit } from "./screen.ts";

/**
 * Answers with a file. It checks the request before the first part of the file is sent.
 * HEAD gets the headers alone: nobody has taken the records, so `reader`, which leaves no
 * entry in the audit log, opens the file.
 */
export async function answerDownload(
  visit: StoreVisit,
  download: Download,
  reader: DashboardParts,
): Promise<WireReply> {
  const { parts, settings, language, access, request } = visit;
  if (!may(access, download.action)) return messageReply(settings, language, "forbidden");
  if (request.method === "POST") return messageReply(settings, language, "method_not_allowed");

  const isHead = request.method === "HEAD";
  const file = await download.open(isHead ? { ...visit, parts: reader } : visit);
  const reply = downloadReply(exportReply(file, (error) => parts.onError(error, "dashboard")));
  return isHead ? { ...reply, body: null } : reply;
}
