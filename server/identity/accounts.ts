import type { Feature, Plan } from '#contract/permissions.ts'
import { emailPattern } from '#contract/shapes.ts'
import type { Database } from '#platform/data/database.ts'
import type { CrossTenantTx, Tx } from '#platform/data/db.ts'
import { violated } from '#platform/data/errors.ts'
import { type AuditActor, recordOutbox } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import { internalOrigin } from '#platform/http/caller.ts'
import { newId } from '#platform/ids.ts'
import { insertMembership, type MemberRole } from './members/member.sql.ts'
import { anyPersonExists, insertOperator, operatorOrganization } from './operator/operator.sql.ts'
import { createWithAddress } from './organization/address.ts'
import { newPerson } from './sign-in/sign-in.sql.ts'
import type { SignInService } from './sign-in/sign-in.ts'

export type NewOrganization = { name: string; plan: Plan; features?: Feature[] }
export type NewAccount = { name: string; email: string; password: string }
/** Refuses weak passwords and hashes the others. */
export type Hashing = Pick<SignInService, 'hashPassword'>

/** True if no account exists. */
export async function isFirstRun(database: Database): Promise<boolean> {
  return !(await database.crossTenant.one(anyPersonExists)).exists
}

/** Creates an organization without members. */
export async function createOrganization(
  database: Database,
  organization: NewOrganization,
): Promise<{ id: string }> {
  const tx = await database.transactCrossTenant(crossTenant => addOrganization(crossTenant, organization))
  return { id: tx.organizationId }
}

/**
 * Creates the account of an operator in the operators' organization, which the first operator creates.
 * Errors: VALIDATION_ERROR, PASSWORD_REFUSED, PERSON_EXISTS.
 */
export async function createOperator(
  database: Database,
  hashing: Hashing,
  account: NewAccount,
): Promise<{ id: string }> {
  const email = account.email.trim().toLowerCase()
  const name = account.name.trim()
  if (!new RegExp(emailPattern, 'u').test(email))
    refuse('email', 'must be an e-mail address such as name@example.com')
  if (!/^\P{Cc}{1,120}$/u.test(name)) refuse('name', 'must be a name of 1 to 120 characters')
  const hash = await hashing.hashPassword(account.password, { email, names: [name] })
  return database.transactCrossTenant(async crossTenant => {
    const existing = await crossTenant.first(operatorOrganization)
    const tx = existing
      ? crossTenant.of(existing.id)
      : await addOrganization(crossTenant, {
          name: 'Operators',
          plan: 'ENTERPRISE',
          features: ['marketplace'],
        })
    const id = await addPerson(crossTenant, tx, { name, email, hash, role: 'OWNER' })
    await crossTenant.first(insertOperator, { personId: id, homeId: tx.organizationId })
    return { id }
  })
}

/** Creates an organization and returns a transaction handle for it. */
export async function addOrganization(
  crossTenant: CrossTenantTx,
  organization: NewOrganization,
): Promise<Tx> {
  const tx = crossTenant.of(newId())
  await createWithAddress(tx, organization)
  await recordHere(tx, 'create organization', tx.organizationId, ['name', 'plan'])
  return tx
}

/** Creates an account and its membership, and returns the person's id. Error: PERSON_EXISTS. */
export async function addPerson(
  crossTenant: CrossTenantTx,
  tx: Tx,
  person: { name: string; email: string; hash: string; role: MemberRole },
): Promise<string> {
  const { name, email, hash, role } = person
  const id = newId()
  await crossTenant
    .first(newPerson, { id, name, email, verified: true, credentialId: newId(), hash })
    .catch(error => {
      if (violated(error) === 'person_email_key') fail('PERSON_EXISTS')
      throw error
    })
  await tx.first(insertMembership, { personId: id, role, roleId: null, name, email })
  await recordHere(tx, 'create person', id, ['role'])
  return id
}

// a person with shell access to the server needs no account
const commandLine: AuditActor = { auth: 'operator', personId: '', applicationId: null }

async function recordHere(tx: Tx, operation: string, subject: string, changed: string[]): Promise<void> {
  const origin = { ...internalOrigin, client: 'command line' }
  await recordOutbox(tx, commandLine, origin, operation, { subject, changed })
}

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'pattern', message }] })
}
