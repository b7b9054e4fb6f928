import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#contract/limits.ts'
import { type Files, ObjectMissing, openWithin, StoreUnavailable } from '../adapters/files.ts'
import { fail } from '../fail.ts'
import { sendBytes } from './send-bytes.ts'

/** A file with its object in the file store. */
export type StoredFile = { id: string; filename: string; content_type: string; size: number; sha256: string }

/**
 * Sends a stored file, or the range of it that the request names. Browsers save it. With `isInline` they may show it, for
 * types that contain no scripts. Refuses RANGE_NOT_SATISFIABLE.
 */
export async function sendStoredFile(
  { id, filename, content_type, size, sha256 }: StoredFile,
  {
    files,
    request,
    reply,
    isInline = false,
  }: {
    files: Files
    request: FastifyRequest
    reply: FastifyReply
    isInline?: boolean
  },
): Promise<FastifyReply> {
  const tag = `"${sha256}"`
  const { range: rangeHeader, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = request.headers
  const range = ifRange === undefined || ifRange === tag ? parseRange(rangeHeader, size) : undefined
  if (ifNoneMatch !== undefined && matchesEtag(tag, ifNoneMatch))
    return reply.headers(downloadHeaders(tag)).code(304).send()
  if (range === 'unsatisfiable') {
    reply.header('Content-Range', `bytes */${size}`)
    fail('RANGE_NOT_SATISFIABLE')
  }
  const bytes = await openWithin(files, sha256, limits.fileReadMs, range).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable(`The content of the file ${id} is missing`, { cause: error })
  })
  reply.headers({
    ...downloadHeaders(tag),
    'Content-Type': /^text\//.test(content_type) ? `${content_type}; charset=utf-8` : content_type,
    'Content-Disposition': disposition(isInline ? 'inline' : 'attachment', filename),
    'Content-Length': range?.length ?? size,
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.start + range.length - 1}/${size}` }),
  })
  closeStalledDownload(reply)
  return sendBytes(reply.code(range ? 206 : 200), bytes)
}

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

/** A range of bytes. RFC 9110, 14.2. */
export type ByteRange = { start: number; length: number }

/** The range that the header requests. Undefined without a header or for an unsupported one: send the whole body. */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, length }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= size) return 'unsatisfiable'
  return { start, length: Math.min(last === '' ? size : Number(last) + 1, size) - start }
}

/** A `Content-Disposition` header that saves the body under its name, for any characters. RFC 6266. */
export function attachmentDisposition(filename: string): string {
  return disposition('attachment', filename)
}

function disposition(kind: 'attachment' | 'inline', filename: string): string {
  const ascii =
    filename
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .replace(/["\\%/]/g, '_')
      .trim() || 'file'
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
