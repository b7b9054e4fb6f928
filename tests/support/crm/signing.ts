import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { issueSigningLink } from '#contract/crm/signing-links.ts'
import { openSigningPage, signByLink } from '#contract/crm/signing-page.ts'
import type { Input, Reply } from '#contract/operation.ts'
import type { Client } from '#sdk/client.ts'
import { lastOf } from '../elements.ts'
import type { TestServer } from '../test-server.ts'
import { type MadeBudget, makeBudget } from './budgets.ts'

type Given = Partial<Input<typeof issueSigningLink>['body']>
export type MadeLink = Reply<typeof issueSigningLink> & { token: string }

/** Issues a signing link with default values. */
export async function issueLink(by: Client, budgetId: string, input: Given = {}): Promise<MadeLink> {
  const body = { signerName: 'Ada Lovelace', signerEmail: 'ada@lovelace.test', ...input }
  const link = await by.call(issueSigningLink, { params: { id: budgetId }, body })
  return { ...link, token: lastOf(link.url.split('/')) }
}

/** Issues a link without a PDF, so that the data of the budget is signed. */
export async function issueBareLink(
  server: TestServer,
  by: Client,
  budgetId: string,
  input: Given = {},
): Promise<MadeLink> {
  const incoming = join(server.config.dataDir, 'files', 'incoming')
  renameSync(incoming, `${incoming}-away`)
  try {
    return await issueLink(by, budgetId, input)
  } finally {
    renameSync(`${incoming}-away`, incoming)
  }
}

/** The document hash on the page of a link. */
export async function shownHash(server: TestServer, token: string): Promise<string> {
  const page = await server.client().send(openSigningPage, { params: { token } })
  const hash = /name="documentHash" value="([0-9a-f]{64})"/.exec(page.text)?.[1]
  if (hash === undefined) throw new Error(`The page offers nothing to sign: ${page.status}`)
  return hash
}

/** Signs with a link and returns the full response. */
export async function signLink(
  server: TestServer,
  token: string,
  input: Partial<Input<typeof signByLink>['body']> = {},
) {
  const documentHash = input.documentHash ?? (await shownHash(server, token))
  return server.client().send(signByLink, {
    params: { token },
    body: { name: 'Ada Lovelace', consent: 'es', documentHash, ...input },
    headers: { 'User-Agent': 'Browser 1.0' },
  })
}

/** Creates a budget that was signed with a link. */
export async function signedBudget(
  server: TestServer,
  by: Client,
  input: { budget?: Parameters<typeof makeBudget>[1]; isBare?: boolean } = {},
): Promise<{ budget: MadeBudget; link: MadeLink; sigId: string; documentHash: string }> {
  const budget = await makeBudget(by, input.budget)
  const link = input.isBare ? await issueBareLink(server, by, budget.id) : await issueLink(by, budget.id)
  const { status, body, text } = await signLink(server, link.token)
  if (status !== 200) throw new Error(`Not signed: ${status} ${text}`)
  return { budget, link, sigId: body.signatureId, documentHash: body.documentHash }
}
