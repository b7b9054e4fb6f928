import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { fail } from '#platform/fail.ts'

/** A line with values, or several of the file when a value goes over them; `line` is the first. */
export type CsvRecord = { line: number; values: string[] }

/** No lead is so long, and no line of names. */
const recordCharacters = 100_000

/** As spreadsheets write text: `utf-16le` and `utf-16be` with a byte order mark. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * Finds out in which encoding a file is: what is no UTF-8 and has no byte order mark of UTF-16 is Windows-1252, unless that has no
 * such letters. Refuses CSV_NOT_READABLE.
 */
export async function encodingOf(bytes: Readable): Promise<Encoding> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let encoding: Encoding = 'utf-8'
  let beginning = Buffer.alloc(0)
  let isWestern = true
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    if (beginning.length < 2) {
      beginning = Buffer.concat([beginning, piece.subarray(0, 2)])
      const mark = beginning.toString('hex', 0, 2)
      if (mark === 'fffe') return 'utf-16le'
      if (mark === 'feff') return 'utf-16be'
    }
    isWestern &&= !notWestern.some(byte => piece.includes(byte))
    if (encoding === 'utf-8' && !isDecodable(utf8, piece)) encoding = 'windows-1252'
  }
  if (encoding === 'utf-8' && !isDecodable(utf8)) encoding = 'windows-1252'
  if (encoding === 'utf-8' || isWestern) return encoding
  return refuse('encoding', 'is no text in UTF-8, UTF-16 or Windows-1252: save it as CSV')
}

/** Bytes that stand for nothing in Windows-1252, and NUL, which no text has. */
const notWestern = [0x00, 0x81, 0x8d, 0x8f, 0x90, 0x9d]

function isDecodable(decoder: TextDecoder, piece?: Buffer): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined })
    return true
  } catch {
    return false
  }
}

/** A CSV file, which can be read more than once, and its encoding. */
export type CsvFile = { read(): Readable; encoding: Encoding }

/**
 * Reads a CSV file, separated by comma, semicolon or tab: by the one that a line `sep=;` in front of the others names, else by
 * whichever the first line has most of. The next record is read once
 * `take` is done with one. Refuses CSV_NOT_READABLE.
 */
export async function eachRecord(
  file: CsvFile,
  take: (record: CsvRecord, delimiter: Delimiter) => unknown,
): Promise<void> {
  const bytes = file.read()
  // loaded with the first file
  const { CsvError, parse } = await import('csv-parse')
  const texts = textsOf(bytes, file.encoding)
  try {
    const { delimiter, beginning } = separatedBy(await throughFirstLine(texts))
    const parser = parse({
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: recordCharacters,
    })
    await pipeline(joined(beginning, texts), parser, async (records: AsyncIterable<Parsed>) => {
      for await (const { record: values, info } of records)
        await take({ line: info.lines - breaksIn(values), values }, delimiter)
    })
  } catch (error) {
    if (error instanceof CsvError) refuse(error.code, `line ${String(error.lines)}: ${wordsOf(error.code)}`)
    throw error
  } finally {
    bytes.destroy()
  }
}

/** Reads the lines after that of the names, so many at a time; the next ones once `take` is done with these. */
export async function eachBatch(
  file: CsvFile,
  most: number,
  take: (records: CsvRecord[]) => Promise<unknown>,
): Promise<void> {
  let batch: CsvRecord[] = []
  let isFirst = true
  await eachRecord(file, async record => {
    if (!isFirst) batch.push(record)
    isFirst = false
    if (batch.length < most) return
    await take(batch)
    batch = []
  })
  if (batch.length > 0) await take(batch)
}

type Parsed = { record: string[]; info: { lines: number } }

/** The text of the file with one kind of line ends, without a byte order mark. */
async function* textsOf(bytes: Readable, encoding: Encoding): AsyncGenerator<string, void> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let held = ''
  for await (const piece of bytes as AsyncIterable<Buffer>) {
    const text = held + decoded(decoder, piece)
    // a line end may be cut in two
    held = text.endsWith('\r') ? '\r' : ''
    yield text.slice(0, text.length - held.length).replaceAll('\r\n', '\n')
  }
  yield held + decoded(decoder)
}

function decoded(decoder: TextDecoder, piece?: Buffer): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined })
  } catch {
    return refuse('encoding', `is not in ${decoder.encoding}, as it begins`)
  }
}

async function throughFirstLine(texts: AsyncGenerator<string, void>): Promise<string> {
  let text = ''
  while (!text.includes('\n') && text.length <= recordCharacters) {
    const { done, value } = await texts.next()
    if (done) break
    text += value
  }
  return text
}

async function* joined(beginning: string, rest: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield beginning
  yield* rest
}

const delimiters = [',', ';', '\t'] as const
export type Delimiter = (typeof delimiters)[number]

/**
 * The delimiter of a file, and its beginning without the line by which Excel is told the delimiter. That line leaves an empty
 * one behind, so that the numbers of lines stay those of the file.
 */
function separatedBy(beginning: string): { delimiter: Delimiter; beginning: string } {
  const named = /^("?)sep=(.*?)\1(?:\n|$)/i.exec(beginning)
  if (!named) return { delimiter: delimiterOf(beginning), beginning }
  const delimiter = delimiters.find(one => one === named[2])
  if (delimiter === undefined)
    refuse('separator', 'line 1: names a separator that is no comma, semicolon or tab')
  return { delimiter, beginning: `\n${beginning.slice(named[0].length)}` }
}

function delimiterOf(beginning: string): Delimiter {
  const [first = ''] = beginning.split('\n', 1)
  const unquoted = first.replaceAll(/"(?:[^"]|"")*"/g, '')
  const count = (delimiter: Delimiter) => unquoted.split(delimiter).length
  return delimiters.reduce((best, one) => (count(one) > count(best) ? one : best))
}

function breaksIn(values: readonly string[]): number {
  return values.reduce((sum, value) => sum + value.split('\n').length - 1, 0)
}

function wordsOf(code: string): string {
  if (code === 'CSV_QUOTE_NOT_CLOSED') return 'a quotation mark is opened and never closed'
  if (code === 'CSV_MAX_RECORD_SIZE') return 'is longer than any lead'
  return 'a quotation mark stands where none may be'
}

/** Refuses a file as a whole. */
export function refuse(code: string, message: string): never {
  fail('CSV_NOT_READABLE', { details: [{ path: 'file', code, message }] })
}
