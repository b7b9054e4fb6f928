import type { Db } from '#platform/data/database.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { type SignatureRow, signatureJoins, wholeSignature } from './signature.row.ts'

type Found<Row> = { [Key in keyof Row]: Row[Key] | null }
const of = (condition: string) => `
  select ${wholeSignature} from budget b
  left join budget_signature s on s.organization_id = $1 and s.budget_id = b.id ${condition}
  ${signatureJoins}
  where b.organization_id = $1 and b.id = $2`
const select = sql<Found<SignatureRow>, [budgetId: string, id: string]>(of('and s.id = $3'))
// index budget_signature_of
const selectAll = sql<Found<SignatureRow>, [budgetId: string]>(
  `${of('')} order by s.signed_at desc, s.id desc`,
)

/** A signature of a budget. Refuses BUDGET_NOT_FOUND and SIGNATURE_NOT_FOUND. */
export async function signatureFor(db: Db, budgetId: string, id: string): Promise<SignatureRow> {
  const found = (await db.first(select, budgetId, id)) ?? fail('BUDGET_NOT_FOUND')
  return isThere(found) ? found : fail('SIGNATURE_NOT_FOUND')
}

/** All signatures of a budget, the newest first. Refuses BUDGET_NOT_FOUND. */
export async function signaturesFor(db: Db, budgetId: string): Promise<SignatureRow[]> {
  const found = await db.rows(selectAll, budgetId)
  if (found.length === 0) fail('BUDGET_NOT_FOUND')
  return found.filter(isThere)
}

/** The signature that was made with a link of a budget. Refuses SIGNING_LINK_NOT_VALID. */
export async function signatureOfLink(db: Db, budgetId: string, linkId: string): Promise<SignatureRow> {
  const made = await signaturesFor(db, budgetId)
  return made.find(({ link_id }) => link_id === linkId) ?? fail('SIGNING_LINK_NOT_VALID')
}

function isThere(row: Found<SignatureRow>): row is SignatureRow {
  return row.id !== null
}
