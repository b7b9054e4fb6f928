import { readPortalBudget } from '#contract/crm/portal.ts'
import { requestSignatures } from '#contract/crm/signature-requests.ts'
import { openPortal, plantPortalLink, sentBudget } from '#tests/support/crm/portal.ts'
import { aSealCertificate, plantSeal } from '#tests/support/crm/seals.ts'
import { issueLink, signedBudget } from '#tests/support/crm/signing.ts'
import { defined, itemAt } from '#tests/support/elements.ts'
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
/** A signature with a time stamp, whose content no test of the invariants reads. */
const onStampedSignature: Fixture = async home => {
  const call = (await onSignature(home)) as Call
  await home.server.sql(
    `insert into signature_time_stamp
       (organization_id, number, evidence_hash, stamped_at, authority, policy, serial_number, reply)
     select organization_id, number, evidence_hash, now(), $2, '1.2.3', '01', convert_to($2, 'utf8')
     from budget_signature where id = $1`,
    [defined(call.params).sigId, home.secret],
  )
  return call
}

/** A signed budget with a sealed document, which a client of the organization has in the portal. */
async function sealedBudget(home: Home): Promise<{ id: string; token: string }> {
  await home.server.sql('delete from rate_window')
  const { clientId } = await customerOf(home)
  const { budget, sigId, link } = await signedBudget(home.server, home.owner, { budget: { clientId } })
  await plantSeal(home.server, sigId)
  return { id: budget.id, token: link.token }
}
const onSealedBudget: Fixture = async home => ({ params: { id: (await sealedBudget(home)).id } })

/** The token of a portal link. */
async function mailed({ server, owner }: Home): Promise<string> {
  return plantPortalLink(server, owner, (await openPortal(server, owner)).contactId)
}

/** A signature request with two signers, one after the other. */
async function signatureRequest(home: Home) {
  await home.server.sql('delete from rate_window')
  const { id } = await budgetOf(home)
  const signers = [1, 2].map(order => ({
    name: `Ada ${order} ${home.secret}`,
    email: `${order}-${home.secret}@example.test`,
    order,
  }))
  return home.owner.call(requestSignatures, { params: { id }, body: { signers } })
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
  requestSignatures: async home => ({
    params: { id: (await budgetOf(home)).id },
    body: {
      signers: [1, 2].map(order => ({ name: home.name('Ada'), email: home.email(), order })),
      expiresInDays: 7,
    },
  }),
  listSignatureRequests: async home => ({ params: { id: (await signatureRequest(home)).budgetId } }),
  replaceSigner: async home => {
    const { id: requestId, budgetId: id, signers } = await signatureRequest(home)
    return {
      params: { id, requestId, signerId: itemAt(signers, 1).id },
      body: { name: home.name('Bea'), email: home.email() },
    }
  },
  stopSignatureRequest: async home => {
    const { id: requestId, budgetId: id } = await signatureRequest(home)
    return { params: { id, requestId } }
  },
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
    return { params: { budgetId: defined(params).budgetId } }
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
  readTimeStampStatus: async () => ({}),
  openTimeStamp: onStampedSignature,
  readSealCertificate: async () => ({}),
  uploadSealCertificate: async () => ({
    form: [
      { name: 'passphrase', value: 'open sesame' },
      { name: 'file', value: aSealCertificate().bytes, filename: 'seal.p12' },
    ],
  }),
  removeSealCertificate: async () => ({}),
  readBudgetSeal: onSealedBudget,
  openSealedBudget: onSealedBudget,
  openSealedPortalDocument: onSealedBudget,
  openSealedSigningDocument: async home => ({ params: { token: (await sealedBudget(home)).token } }),
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
    params: defined(((await inPortal(home)) as Call).params),
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
