import type { Db } from '#platform/data/db.ts'
import { sql } from '#platform/data/statement.ts'
import { fail } from '#platform/fail.ts'
import { allSignatureColumns, type SignatureRow, signatureJoins } from './signature.row.ts'

type OptionalRow<Row> = { [Key in keyof Row]: Row[Key] | null }
const statement = (condition: string) => `
  select ${allSignatureColumns} from budget b
  left join budget_signature s on s.organization_id = $organization and s.budget_id = b.id ${condition}
  ${signatureJoins}
  where b.organization_id = $organization and b.id = $budgetId`
const select = sql<OptionalRow<SignatureRow>, { budgetId: string; id: string }>(statement('and s.id = $id'))
// index budget_signature_of
const selectAll = sql<OptionalRow<SignatureRow>, { budgetId: string }>(
  `${statement('')} order by s.signed_at desc, s.id desc`,
)

/** A signature of a budget. Refuses BUDGET_NOT_FOUND and SIGNATURE_NOT_FOUND. */
export async function signatureFor(db: Db, budgetId: string, id: string): Promise<SignatureRow> {
  const row = (await db.first(select, { budgetId, id })) ?? fail('BUDGET_NOT_FOUND')
  return isThere(row) ? row : fail('SIGNATURE_NOT_FOUND')
}

/** Whether a signature takes part in the acceptance of its budget: not if others of its request are missing. */
export function isOfAcceptance({ request_status }: SignatureRow): boolean {
  return request_status === null || request_status === 'COMPLETED'
}

/** All signatures of a budget, newest first. Refuses BUDGET_NOT_FOUND. */
export async function signaturesFor(db: Db, budgetId: string): Promise<SignatureRow[]> {
  const row = await db.rows(selectAll, { budgetId })
  if (row.length === 0) fail('BUDGET_NOT_FOUND')
  return row.filter(isThere)
}

/** The signature that was made with a link of a budget. Refuses SIGNING_LINK_NOT_VALID. */
export async function signatureOfLink(db: Db, budgetId: string, linkId: string): Promise<SignatureRow> {
  const signatures = await signaturesFor(db, budgetId)
  return signatures.find(({ link_id }) => link_id === linkId) ?? fail('SIGNING_LINK_NOT_VALID')
}

function isThere(row: OptionalRow<SignatureRow>): row is SignatureRow {
  return row.id !== null
}
