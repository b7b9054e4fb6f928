import type { FastifyReply } from 'fastify'
import { limits } from '#contract/limits.ts'
import { openFile } from '#contract/studio/files.ts'
import { ObjectMissing, openWithin, StoreUnavailable } from '#platform/adapters/files.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { sendBytes } from '#platform/http/send-bytes.ts'
import { attachmentDisposition, filenameOf, parseRange, sealedText, sealPurpose } from './file.rules.ts'
import { fileForAddress } from './file.sql.ts'

/**
 * Sends the file of a signed address, or one range of it. Browsers save the file and never display it, so that scripts in
 * it cannot run under the origin of this server (FIL-18).
 */
export const download = stream(openFile, async ({ params: { fileId }, query, services, request, reply }) => {
  const { organization, expires, signature } = query
  if (!services.seals.isSealed(sealPurpose, sealedText({ organization, fileId, expires }), signature)) {
    fail('FILE_ADDRESS_INVALID')
  }
  const { isExpired, file } = await fileForAddress(services.database.of(organization), fileId, expires)
  if (isExpired) fail('FILE_ADDRESS_INVALID')
  if (!file) fail('FILE_NOT_FOUND')

  const { size, sha256 } = file
  const tag = `"${sha256}"`
  const { range: rangeHeader, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  const range = ifRange === undefined || ifRange === tag ? parseRange(rangeHeader, size) : undefined
  if (ifNoneMatch !== undefined && matchesEtag(tag, ifNoneMatch))
    return reply.headers(downloadHeaders(tag)).code(304).send()
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${size}`)
    fail('RANGE_NOT_SATISFIABLE')
  }
  const bytes = await openWithin(services.files, sha256, limits.fileReadMs, range).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable(`The content of the file ${fileId} is missing`, { cause: error })
  })
  reply.headers({
    ...downloadHeaders(tag),
    'Content-Type': /^text\//.test(file.content_type)
      ? `${file.content_type}; charset=utf-8`
      : file.content_type,
    'Content-Disposition': attachmentDisposition(filenameOf(file.path)),
    'Content-Length': range?.length ?? size,
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.start + range.length - 1}/${size}` }),
  })
  closeStalledDownload(reply)
  return sendBytes(reply.code(range ? 206 : 200), bytes)
})

function downloadHeaders(tag: string): Record<string, string> {
  return {
    ETag: tag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-cache',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  }
}

/** Whether an If-None-Match header contains this tag. */
export function matchesEtag(tag: string, header: string): boolean {
  return header.split(',').some(part => ['*', tag].includes(part.trim().replace(/^W\//, '')))
}

/** Closes a download that makes no progress for limits.downloadSilenceSeconds or takes limits.downloadSeconds. */
export function closeStalledDownload(reply: FastifyReply): void {
  const { raw } = reply
  // Node reports the timeout of a pending write only after two periods
  raw.setTimeout(limits.downloadSilenceSeconds * 500, () => raw.destroy())
  const timeout = setTimeout(() => raw.destroy(), limits.downloadSeconds * 1000)
  raw.once('close', () => clearTimeout(timeout))
}
