import { newId } from '#platform/ids.ts'
import { digestOf, linkSecret, sessionSecret } from '#server/crm/portal/portal.token.ts'
import { insertRows } from '../rows.ts'
import type { Person, TestServer } from '../test-server.ts'
import { type MadeBudget, makeBudget } from './budgets.ts'
import { makeClient, makeContact } from './leads-and-clients.ts'
import { issueLink } from './signing.ts'

let count = 0

/** A contact with portal access, and the token of its session. */
export type TestCustomer = { clientId: string; contactId: string; email: string; token: string }

export async function openPortal(server: TestServer, by: Person): Promise<TestCustomer> {
  const { id: clientId } = await makeClient(by)
  const email = `customer-${++count}-${newId()}@example.test`
  const { id: contactId } = await makeContact(by, { clientId, email, receivesInvoices: true })
  return { clientId, contactId, email, token: await plantSession(server, by, contactId) }
}

/** Creates a portal session without a mail. Returns its token. */
export async function plantSession(server: TestServer, by: Person, contactId: string): Promise<string> {
  const token = sessionSecret.make(by.organizationId)
  await insertRows(server, 'portal_session', [
    { organization_id: by.organizationId, token_digest: `\\x${digestOf(token)}`, contact_id: contactId },
  ])
  return token
}

/** Creates a budget and sends it to a client. */
export async function sentBudget(
  by: Person,
  clientId: string,
  input: Parameters<typeof makeBudget>[1] = {},
): Promise<MadeBudget> {
  const budget = await makeBudget(by, { ...input, clientId })
  await issueLink(by, budget.id)
  return budget
}

/** Creates a portal link without a mail. Returns its token. */
export async function plantPortalLink(server: TestServer, by: Person, contactId: string): Promise<string> {
  const token = linkSecret.make(by.organizationId)
  await insertRows(server, 'portal_link', [
    { organization_id: by.organizationId, contact_id: contactId, token_digest: `\\x${digestOf(token)}` },
  ])
  return token
}
