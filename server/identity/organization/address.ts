import type { OperatedOrganization } from '#contract/identity/operator.ts'
import { limits } from '#contract/limits.ts'
import type { Feature, Plan } from '#contract/permissions.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { addressCandidates, isReservedAddress } from './address.rules.ts'
import { insertFreeAddress, listAddresses, retireAddress, setAddress } from './address.sql.ts'
import { insertOrganization, organizationOf } from './organization.sql.ts'

/** Creates the organization of `tx` with an address from its name (ORG-7). */
export async function createWithAddress(
  tx: Tx,
  { name, plan, features = [] }: { name: string; plan: Plan; features?: Feature[] },
): Promise<OperatedOrganization> {
  await tx.one(insertOrganization, { name, plan, features })
  const candidates = addressCandidates(name, tx.organizationId)
  // another organization may take the chosen one at the same time: the next read then sees it, each time one less
  for (let left = candidates.length; left > 0; left--)
    if (await tx.first(insertFreeAddress, { candidates })) break
  return tx.one(organizationOf)
}

/** Replaces the address; the former one keeps leading to the organization (ORG-8). The caller locks the organization. */
export async function changeAddress(tx: Tx, address: string): Promise<void> {
  if (isReservedAddress(address)) fail('ADDRESS_TAKEN')
  const own = await tx.rows(listAddresses)
  const isFormer = own.some(row => row.address === address)
  if (!isFormer && own.length >= limits.organizationAddresses) fail('TOO_MANY_ADDRESSES')
  await tx.run(retireAddress)
  if (!(await tx.first(setAddress, { address }))) fail('ADDRESS_TAKEN')
}
