/**
 * The database work of one request: its statements, the sources of their parameters, and how the reply is
 * built from their rows. It is recorded from the running product, so that the bare program can never do less
 * or other work.
 */
export type Recording = {
  name: string
  method: string
  /** `{id}` stands for a segment that changes with each request. */
  path: string
  status: number
  /**
   * The same request of other people and objects, used in turn, because locks and buckets differ between
   * them.
   */
  variants: RecordedStep[][]
  /** The source of an expression over `rows[step][row]` that builds the reply. */
  reply: string
}
export type RecordedStep = { name?: string; text: string; values: RecordedValue[] }

/** A parameter: constant, or built from placeholders that are filled for each request. */
export type RecordedValue =
  | { is: unknown }
  | { items: RecordedValue[] }
  | { pieces: (string | TemplateParameter)[] }
export type TemplateParameter =
  | { from: 'id' }
  | { from: 'word'; at: number }
  /** A new id, the same for the same key. */
  | { from: 'new'; key: string }
  | { from: 'row'; step: number; column: string }

/** The parameters and the result of a statement. */
export type ObservedCall = {
  name?: string
  text: string
  values: readonly unknown[]
  rows: Record<string, unknown>[]
}

type Known = { id?: string; words: readonly string[]; startedAtMs: number }

/** Finds the source of each parameter. Pure: the same observations give the same steps. */
export function stepsOf(observed: readonly ObservedCall[], known: Known): RecordedStep[] {
  return observed.map(({ name, text, values }, at) => ({
    ...(name !== undefined && { name }),
    text,
    values: values.map(value => placeOf(value, observed.slice(0, at), known)),
  }))
}

function placeOf(value: unknown, before: readonly ObservedCall[], known: Known): RecordedValue {
  if (Array.isArray(value)) return { items: value.map(item => placeOf(item, before, known)) }
  if (typeof value !== 'string') return { is: value }
  const marks = [/c[0-9a-z]{24}(?![0-9a-z])/.source, ...known.words].join('|')
  const pieces = value
    .split(new RegExp(`(${marks})`, 'i'))
    .filter(piece => piece !== '')
    .map(piece => holeOf(piece, before, known) ?? piece)
  return pieces.every(piece => typeof piece === 'string') ? { is: value } : { pieces }
}

function holeOf(piece: string, before: readonly ObservedCall[], known: Known): TemplateParameter | undefined {
  if (piece === known.id) return { from: 'id' }
  const word = known.words.indexOf(piece.toLowerCase())
  if (word !== -1) return { from: 'word', at: word }
  if (!/^c[0-9a-z]{24}$/.test(piece)) return undefined
  for (const [
    step,
    {
      rows: [row = {}],
    },
  ] of before.entries()) {
    const column = Object.keys(row).find(name => row[name] === piece)
    if (column !== undefined && isNew(piece, known)) return { from: 'new', key: piece }
    if (column !== undefined) return { from: 'row', step, column }
  }
  return isNew(piece, known) ? { from: 'new', key: piece } : undefined
}

/** An id contains the millisecond of its creation. */
function isNew(id: string, { startedAtMs }: Known): boolean {
  return Number.parseInt(id.slice(1, 9), 36) >= startedAtMs
}

/**
 * The source of an expression that builds `reply` from the rows of the statements, as a simple program would:
 * each field from a column with its value, lists from statements with as many rows.
 */
export function replySource(reply: unknown, observed: readonly ObservedCall[]): string {
  const columns = observed.flatMap(({ rows }, step) =>
    Object.entries(rows[0] ?? {}).map(([name, value]) => ({
      value,
      source: `rows[${step}][0][${JSON.stringify(name)}]`,
    })),
  )
  return sourceOf(reply, columns, observed)
}

type Column = { value: unknown; source: string }

function sourceOf(value: unknown, columns: Column[], observed: readonly ObservedCall[]): string {
  const text = JSON.stringify(value)
  // a trivial value would match any column
  const isTelling = text.length > 5
  const same = isTelling && columns.find(column => JSON.stringify(column.value) === text)
  if (same) return same.source
  if (Array.isArray(value) && typeof value[0] === 'object') {
    const stepOf = (more: number) => observed.findLastIndex(({ rows }) => rows.length === value.length + more)
    // a page may read one extra row, to know whether there is a next page
    const step = stepOf(0) === -1 ? stepOf(1) : stepOf(0)
    const row = observed[step]?.rows[0]
    if (row) {
      const ofRow = Object.entries(row).map(([name, of]) => ({
        value: of,
        source: `row[${JSON.stringify(name)}]`,
      }))
      return `rows[${step}].slice(0, ${value.length}).map(row => (${sourceOf(value[0], ofRow, [])}))`
    }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return text
  const fields = Object.entries(value).map(
    ([name, of]) => `${JSON.stringify(name)}: ${sourceOf(of, columns, observed)}`,
  )
  return `{ ${fields.join(', ')} }`
}
