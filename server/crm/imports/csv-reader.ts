import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { fail } from '#platform/fail.ts'

/** A record of a file. It spans several lines if a value does; `line` is the first. */
export type CsvRecord = { line: number; values: string[] }

/** Longer records are refused. */
const maxRecordCharacters = 100_000

/** The encodings of spreadsheets; `utf-16le` and `utf-16be` need a byte order mark. */
export type CsvEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * Detects the encoding of a file: a byte order mark means UTF-16, valid UTF-8 is UTF-8, anything else is Windows-1252. Refuses
 * CSV_NOT_READABLE for bytes that Windows-1252 does not have.
 */
export async function detectEncoding(bytes: Readable): Promise<CsvEncoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let encoding: CsvEncoding = 'utf-8'
  let beginning = Buffer.alloc(0)
  let isWindows1252 = true
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    if (beginning.length < 2) {
      beginning = Buffer.concat([beginning, piece.subarray(0, 2)])
      const mark = beginning.toString('hex', 0, 2)
      if (mark === 'fffe') return 'utf-16le'
      if (mark === 'feff') return 'utf-16be'
    }
    isWindows1252 &&= !invalidInWindows1252.some(byte => piece.includes(byte))
    if (encoding === 'utf-8' && !isDecodable(utf8, piece)) encoding = 'windows-1252'
  }
  if (encoding === 'utf-8' && !isDecodable(utf8)) encoding = 'windows-1252'
  if (encoding === 'utf-8' || isWindows1252) return encoding
  return rejectFile('encoding', 'is not text in UTF-8, UTF-16 or Windows-1252. Save the file as CSV in UTF-8')
}

/** Undefined bytes of Windows-1252, and NUL. */
const invalidInWindows1252 = [0x00, 0x81, 0x8d, 0x8f, 0x90, 0x9d]

function isDecodable(decoder: TextDecoder, piece?: Buffer): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return true
  } catch {
    return false
  }
}

/** A CSV file that can be read repeatedly, and its encoding. */
export type CsvFile = { read(): Readable; encoding: CsvEncoding }

/**
 * Reads a CSV file record by record, waiting for `handle`. The delimiter is the one that a first line such as `sep=;` names, or
 * else the most frequent of comma, semicolon and tab in the first line. Refuses CSV_NOT_READABLE.
 */
export async function eachRecord(
  file: CsvFile,
  handle: (record: CsvRecord, delimiter: Delimiter) => unknown,
): Promise<void> {
  const bytes = file.read()
  // loaded lazily
  const { CsvError, parse } = await import('csv-parse')
  const texts = decodeStream(bytes, file.encoding)
  try {
    const { delimiter, beginning } = splitSeparatorLine(await readFirstLine(texts))
    const parser = parse({
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxRecordCharacters,
    })
    await pipeline(concatenated(beginning, texts), parser, async (records: AsyncIterable<Parsed>) => {
      for await (const { record: values, info } of records)
        await handle({ line: info.lines - lineBreaksIn(values), values }, delimiter)
    })
  } catch (error) {
    if (error instanceof CsvError)
      rejectFile(error.code, `line ${String(error.lines)}: ${parseErrorText(error.code)}`)
    throw error
  } finally {
    bytes.destroy()
  }
}

/** Reads the records after the header in batches, waiting for `handle`. */
export async function eachBatch(
  file: CsvFile,
  batchSize: number,
  handle: (records: CsvRecord[]) => Promise<unknown>,
): Promise<void> {
  let batch: CsvRecord[] = []
  let isFirst = true
  await eachRecord(file, async record => {
    if (!isFirst) batch.push(record)
    isFirst = false
    if (batch.length < batchSize) return
    await handle(batch)
    batch = []
  })
  if (batch.length > 0) await handle(batch)
}

type Parsed = { record: string[]; info: { lines: number } }

/** The decoded text with LF line endings, without a byte order mark. */
async function* decodeStream(bytes: Readable, encoding: CsvEncoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let pending = ''
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    const text = pending + decoded(decoder, piece)
    // CRLF may be split between two chunks
    pending = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - pending.length).replaceAll('\r\n', '\n')
  }
  yield pending + decoded(decoder)
}

function decoded(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    return rejectFile('encoding', `is not valid ${decoder.encoding}, although it begins as such`)
  }
}

async function readFirstLine(texts: AsyncGenerator<string, void>): Promise<string> {
  let text = ''
  while (!text.includes('\n') && text.length <= maxRecordCharacters) {
    const { done, value } = await texts.next()
    if (done) break
    text += value
  }
  return text
}

async function* concatenated(beginning: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield beginning
  yield* rest
}

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/**
 * The delimiter of a file, and its beginning without the `sep=` line for Excel. An empty line replaces that line, so that line
 * numbers stay correct.
 */
function splitSeparatorLine(beginning: string): { delimiter: Delimiter; beginning: string } {
  const named = /^("?)sep=(.*?)\1(?:\n|$)/i.exec(beginning)
  if (!named) return { delimiter: delimiterOf(beginning), beginning }
  const delimiter = delimiters.find(one => one === named[2])
  if (delimiter === undefined)
    rejectFile('separator', 'line 1: the separator must be a comma, semicolon or tab')
  return { delimiter, beginning: `\n${beginning.slice(named[0].length)}` }
}

function delimiterOf(beginning: string): Delimiter {
  const [first = ''] = beginning.split('\n', 1)
  const unquoted = first.replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: Delimiter) => unquoted.split(delimiter).length
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best))
}

function lineBreaksIn(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + value.split('\n').length - 1, 0)
}

function parseErrorText(code: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is not closed'
  if (code === 'CSV_MAX_RECORD_SIZE') return 'the record is too long'
  return 'unexpected quotation mark'
}

/** Refuses the file. */
export function rejectFile(code: string, message: string): never {
  fail('CSV_NOT_READABLE', { details: [{ path: 'file', code, message }] })
}
