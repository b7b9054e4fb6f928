/** A record of a CSV file: its values, and its text as the file has it. `line` is its first line; the header is line 1. */
export type CsvRecord = { line: number; values: string[]; text: string }
export type CsvFile = { columns: readonly string[]; header: string; records: readonly CsvRecord[] }

/** The text of a file, in the encodings that spreadsheets write: see the import of leads in the guide. */
export function decodedCsv(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/**
 * The header and the records of a CSV file, without empty lines; undefined for an empty file. The server decides
 * whether a file is readable: this only finds the names of its columns and the text of its lines.
 */
export function parsedCsv(text: string): CsvFile | undefined {
  const named = /^sep=([,;\t])\r?\n/i.exec(text)
  const body = text.slice(named?.[0].length ?? 0)
  const delimiter = named?.[1] ?? delimiterOf(body)
  const records = recordsOf(body, delimiter, named ? 2 : 1)
  const [header, ...others] = records
  if (!header) return undefined
  return { columns: header.values.map(name => name.trim()), header: header.text, records: others }
}

/** The header and these lines of a file, as a CSV file that can be repaired and imported. */
export function csvOfLines({ header, records }: CsvFile, lines: ReadonlySet<number>): string {
  return [header, ...records.filter(({ line }) => lines.has(line)).map(({ text }) => text)]
    .map(text => `${text}\r\n`)
    .join('')
}

/** The most frequent of comma, semicolon and tab in the first line. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const unquoted = first.replaceAll(/"(?:[^"]|"")*"/g, '')
  const countOf = (one: string) => unquoted.split(one).length
  return [';', '\t'].reduce((most, one) => (countOf(one) > countOf(most) ? one : most), ',')
}

function recordsOf(text: string, delimiter: string, firstLine: number): CsvRecord[] {
  const records: CsvRecord[] = []
  let [start, line, startLine, isQuoted] = [0, firstLine, firstLine, false]
  for (let at = 0; at <= text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted
    const isEnd = at === text.length || (text[at] === '\n' && !isQuoted)
    if (isEnd) {
      const raw = text.slice(start, at).replace(/\r$/, '')
      if (raw !== '') records.push({ line: startLine, values: valuesOf(raw, delimiter), text: raw })
      start = at + 1
      startLine = line + 1
    }
    if (text[at] === '\n') line++
  }
  return records
}

function valuesOf(record: string, delimiter: string): string[] {
  const values: string[] = []
  let [start, isQuoted] = [0, false]
  for (let at = 0; at <= record.length; at++) {
    if (record[at] === '"') isQuoted = !isQuoted
    if (at < record.length && (record[at] !== delimiter || isQuoted)) continue
    const value = record.slice(start, at)
    values.push(/^".*"$/s.test(value) ? value.slice(1, -1).replaceAll('""', '"') : value)
    start = at + 1
  }
  return values
}
