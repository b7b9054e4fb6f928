/** A signer in the dialog that requests signatures. */
export type SignerRow = {
  key: string
  name: string
  email: string
  /** Signs at the same time as the row above; means nothing in the first row. */
  isTogether: boolean
}

let count = 0

export function newSigner(): SignerRow {
  return { key: `signer-${++count}`, name: '', email: '', isTogether: false }
}

/** The order of each row, from 1: rows with the same number sign at the same time. */
export function ordersOf(rows: readonly SignerRow[]): number[] {
  let order = 1
  return rows.map(({ isTogether }, at) => {
    if (at > 0 && !isTogether) order += 1
    return order
  })
}

/** Moves a row up or down by one; at the ends nothing changes. */
export function moveSigner(rows: readonly SignerRow[], key: string, by: -1 | 1): readonly SignerRow[] {
  const at = rows.findIndex(row => row.key === key)
  const row = rows[at]
  if (!row || at + by < 0 || at + by >= rows.length) return rows
  return rows.toSpliced(at, 1).toSpliced(at + by, 0, row)
}
