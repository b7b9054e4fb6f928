type Row = Record<string, unknown>

/** The same reply with new values in the object with this id: the reply itself, or a row of a list or of its pages. */
export function patchRows(reply: unknown, id: string, values: Readonly<Row>): unknown {
  if (typeof reply !== 'object' || reply === null) return reply
  if (Array.isArray(reply)) return changedArray(reply, row => patchRows(row, id, values))
  const row = reply as Row
  if (row.id === id) return { ...row, ...values }
  if (Array.isArray(row.items)) return withPart(row, 'items', patchRows(row.items, id, values))
  if (Array.isArray(row.pages)) return withPart(row, 'pages', patchRows(row.pages, id, values))
  return reply
}

function withPart(reply: Row, name: string, part: unknown): Row {
  return part === reply[name] ? reply : { ...reply, [name]: part }
}

/** The same array when nothing changed, so that no row is drawn again. */
function changedArray(rows: readonly unknown[], change: (row: unknown) => unknown): readonly unknown[] {
  const changed = rows.map(change)
  return changed.some((row, at) => row !== rows[at]) ? changed : rows
}
