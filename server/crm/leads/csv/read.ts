import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { TextDecoder } from 'node:util'
import { fail } from '#platform/fail.ts'

/** A line with values, or several of the file when a value goes over them; `line` is the first. */
export type CsvRecord = { line: number; values: string[] }

/** No lead is so long, and no line of names. */
const recordCharacters = 100_000

/**
 * Reads a CSV file in UTF-8, separated by comma or semicolon, whichever its first line has more of. The next record is read
 * once `take` is done with one. Refuses CSV_NOT_READABLE.
 */
export async function eachRecord(bytes: Readable, take: (record: CsvRecord) => unknown): Promise<void> {
  // loaded with the first file
  const { CsvError, parse } = await import('csv-parse')
  const texts = textsOf(bytes)
  try {
    const beginning = await throughFirstLine(texts)
    const parser = parse({
      delimiter: delimiterOf(beginning),
      ...{ info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: recordCharacters },
    })
    await pipeline(joined(beginning, texts), parser, async (records: AsyncIterable<Parsed>) => {
      for await (const { record: values, info } of records)
        await take({ line: info.lines - breaksIn(values), values })
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
  bytes: Readable,
  most: number,
  take: (records: CsvRecord[]) => Promise<unknown>,
): Promise<void> {
  let batch: CsvRecord[] = []
  let isFirst = true
  await eachRecord(bytes, async record => {
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
async function* textsOf(bytes: Readable): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
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
    return refuse('utf-8', 'is not in UTF-8')
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

function delimiterOf(beginning: string): ',' | ';' {
  const [first = ''] = beginning.split('\n', 1)
  return first.split(';').length > first.split(',').length ? ';' : ','
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
