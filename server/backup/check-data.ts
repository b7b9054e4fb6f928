import { invoicesWithOtherLedger } from '../billing/jobs.ts'
import { verifySignatureChain } from '../crm/jobs.ts'
import { allOrganizationIds, verifyAuditChain } from '../identity/jobs.ts'
import type { Database } from '../platform/data/database.ts'
import { referencedObjects } from '../platform/data/stored-objects.ts'

/** The result of a check of a whole data set. */
export type DataCheck = {
  organizations: number
  auditEntries: number
  signatures: number
  /** One sentence for each fault; none: the data is whole. */
  faults: string[]
}

/**
 * Checks what must hold in every data set, whatever it contains: the audit chain and the signature chain of each organization,
 * payments and ledger, and that each file that rows refer to is among `files`.
 */
export async function checkData(database: Database, files: ReadonlySet<string>): Promise<DataCheck> {
  const check: DataCheck = { organizations: 0, auditEntries: 0, signatures: 0, faults: [] }
  for (const id of await allOrganizationIds(database)) {
    const db = database.of(id)
    const audit = await verifyAuditChain(db)
    const signatures = await verifySignatureChain(db)
    const invoices = await invoicesWithOtherLedger(db)
    check.organizations++
    check.auditEntries += audit.checked
    check.signatures += signatures.count
    if (!audit.valid)
      check.faults.push(`The audit log of the organization ${id} is broken at entry ${audit.brokenAt}.`)
    if (!signatures.holds)
      check.faults.push(
        `The signatures of the organization ${id} are broken at position ${signatures.brokenAt?.number}.`,
      )
    if (invoices.length > 0)
      check.faults.push(`In the organization ${id}, payments and ledger differ: ${invoices.join(', ')}.`)
  }
  const missing = (await referencedObjects(database)).filter(sha256 => !files.has(sha256))
  if (missing.length > 0)
    check.faults.push(`${missing.length} files are missing, the first one is ${missing[0]}.`)
  return check
}
