import type { FastifyReply } from 'fastify'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, openWithin } from '#platform/adapters/files.ts'
import { fail } from '#platform/fail.ts'
import { attachmentDisposition, closeStalledDownload } from '#platform/http/file-download.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { filenameOf } from '#server/studio/index.ts'

/** A stored file of a release; `sha256` is null if the release has no such file. */
export type ReleaseFile = { path: string; size: number; sha256: string } | { sha256: null }

/**
 * Sends a file of a release as a download, so that a browser neither shows nor runs it. The row of the release names
 * the stored object, never the request.
 */
export async function sendReleaseFile(
  reply: FastifyReply,
  { files }: { files: Files },
  file: ReleaseFile,
): Promise<FastifyReply> {
  if (file.sha256 === null) fail('FILE_NOT_FOUND')
  const bytes = await openWithin(files, file.sha256, limits.fileReadMs).catch(error => {
    if (error instanceof ObjectMissing) fail('FILE_NOT_FOUND')
    throw error
  })
  reply.headers({
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': attachmentDisposition(filenameOf(file.path)),
    'Content-Length': file.size,
    'Content-Security-Policy': "sandbox; default-src 'none'",
  })
  closeStalledDownload(reply)
  return sendBytes(reply, bytes)
}
