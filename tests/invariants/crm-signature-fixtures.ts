import { readPortalBudget } from '#contract/crm/portal.ts'
import { openPortal, plantPortalLink, sentBudget } from '#tests/support/crm/portal.ts'
import { issueLink, signedBudget } from '#tests/support/crm/signing.ts'
import type { Call } from './ask.ts'
import { budgetOf } from './crm-budget-fixtures.ts'
import { customerOf, type Home } from './home.ts'

type Fixture = (home: Home) => Promise<Call | Call[]>

/** A signing link. */
async function link(home: Home) {
  const { secret, owner } = home
  const signer = { signerName: `Ada ${secret}`, signerEmail: `${secret}@example.test` }
  return issueLink(owner, (await budgetOf(home)).id, signer)
}
const onLink: Fixture = async home => {
  const { budgetId, id: linkId } = await link(home)
  return { params: { id: budgetId, linkId } }
}
const onToken: Fixture = async home => ({ params: { token: (await link(home)).token } })
const onSignature: Fixture = async home => {
  await home.server.sql('delete from rate_window')
  const { budget, sigId } = await signedBudget(home.server, home.owner)
  return { params: { budgetId: budget.id, sigId } }
}
const inPortal: Fixture = async home => {
  const { clientId } = await customerOf(home)
  return { params: { id: (await sentBudget(home.owner, clientId)).id } }
}

/** The token of a portal link. */
async function mailed({ server, owner }: Home): Promise<string> {
  return plantPortalLink(server, owner, (await openPortal(server, owner)).contactId)
}

/** Valid calls of the operations on signing links, signatures and the portal; see fixtures.ts. */
export const crmSignatureFixtures: Record<string, Fixture> = {
  issueSigningLink: async home => ({
    params: { id: (await budgetOf(home)).id },
    body: { signerName: home.name('Ada'), signerEmail: home.email(), expiresInDays: 7 },
  }),
  listSigningLinks: async home => ({ params: { id: (await link(home)).budgetId } }),
  revokeSigningLink: onLink,
  sendSigningLink: onLink,
  openSigningPage: onToken,
  openSigningDocument: onToken,
  signByLink: async home => {
    const { token, documentHash } = await link(home)
    return { params: { token }, body: { name: home.name('Ada'), consent: 'es', documentHash } }
  },
  declineByLink: async home => ({
    params: { token: (await link(home)).token },
    body: { reason: `Too dear for ${home.mark}` },
  }),
  listSignatures: async home => {
    const { params } = (await onSignature(home)) as Call
    return { params: { budgetId: params!.budgetId } }
  },
  readSignature: onSignature,
  verifySignature: onSignature,
  openCertificate: onSignature,
  importSignature: async home => ({
    params: { budgetId: (await budgetOf(home)).id },
    body: {
      signedAt: '2020-01-02T03:04:05.000Z',
      signerName: home.name('Ada'),
      signerEmail: home.email(),
      ipAddress: '203.0.113.77',
      userAgent: `Browser of ${home.mark}`,
      documentHash: 'a'.repeat(64),
    },
  }),
  checkSignatureChain: async () => ({}),
  openVerifyPage: async () => ({}),
  verifyPdf: async () => ({ form: [{ name: 'file', filename: 'signed.pdf', value: '%PDF-1.3' }] }),
  openPortalSignInPage: async home => ({ params: { organizationId: home.organization.id } }),
  openPortalLink: async home => ({ params: { token: await mailed(home) } }),
  leavePortal: async () => ({}),
  requestPortalLink: async home => {
    const { email } = await openPortal(home.server, home.owner)
    return { body: { organizationId: home.organization.id, email } }
  },
  openPortalSession: async home => ({ body: { token: await mailed(home) } }),
  listPortalBudgets: async home => {
    await inPortal(home)
    return {}
  },
  readPortalBudget: inPortal,
  openPortalDocument: inPortal,
  declineInPortal: async home => ({
    params: ((await inPortal(home)) as Call).params!,
    body: { reason: `Too dear for ${home.mark}` },
  }),
  signInPortal: async home => {
    const { params } = (await inPortal(home)) as { params: { id: string } }
    await home.server.sql('delete from rate_window')
    const client = home.server.client((await customerOf(home)).token)
    const { documentHash } = await client.call(readPortalBudget, { params })
    return { params, body: { name: home.name('Ada'), consent: 'en', documentHash } }
  },
}
