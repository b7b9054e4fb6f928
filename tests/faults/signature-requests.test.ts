import { afterAll, beforeAll, expect, test } from 'vitest'
import { readBudget } from '#contract/crm/budgets.ts'
import { listSignatureRequests } from '#contract/crm/signature-requests.ts'
import { signByLink } from '#contract/crm/signing-page.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { mailedSecret, requestSigners, secretsOf } from '#tests/support/crm/signature-requests.ts'
import { signLink } from '#tests/support/crm/signing.ts'
import { openFaultProxy } from '#tests/support/fault-proxy.ts'
import { endAll, removeFolders, start, until } from '#tests/support/processes.ts'
import { openSmtpServer, type SmtpServer } from '#tests/support/smtp.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { openCommits } from './kill-harness.ts'

let smtp: SmtpServer
let server: TestServer
beforeAll(async () => {
  smtp = await openSmtpServer()
  server = await startTestServer({ smtpUrl: smtp.url, mailFrom: 'Patio <patio@example.com>' })
})
afterAll(async () => {
  endAll()
  await server?.close()
  await smtp?.close()
  removeFolders()
})

test.each([
  { moment: { before: 1 }, what: 'before the commit: nothing happened, and the link still signs' },
  {
    moment: { after: 1 },
    what: 'after the commit: the signature is there, and so is the mail of the next signer',
  },
])('kill -9 while a signer signs, $what', async ({ moment }) => {
  smtp.taken.length = 0
  const owner = await (await server.organization()).person({ role: 'OWNER' })
  const budget = await makeBudget(owner)
  const { documentHash } = await requestSigners(owner, budget.id, { Ana: 1, Bea: 2 })
  const token = await mailedSecret(smtp, 'Ana')
  const commits = openCommits()
  const proxy = await openFaultProxy(server.config.databaseUrl, commits.watch)
  const api = await start('api', { ...server.env, DATABASE_URL: proxy.url })
  const isThere = commits.stopsAt(moment)
  let answered: unknown
  const lost = server
    .client(undefined, api.url)
    .send(signByLink, { params: { token }, body: { name: 'Ana', consent: 'es', documentHash } })
    .then(
      reply => {
        answered = reply
      },
      () => {},
    )
  await until('the process stands there', () => {
    expect(answered).toBeUndefined()
    return isThere()
  })
  await api.stop('SIGKILL')
  proxy.cut()
  await lost
  expect(answered).toBeUndefined()

  if ('before' in moment) {
    expect(secretsOf(smtp, 'Bea')).toEqual([])
    await until(
      'the lock is free',
      async () => (await signLink(server, token, { name: 'Ana' })).status === 200,
    )
  }
  const bea = await mailedSecret(smtp, 'Bea')
  expect((await signLink(server, bea, { name: 'Bea' })).status).toBe(200)
  const { items } = await owner.call(listSignatureRequests, { params: { id: budget.id } })
  expect(items).toMatchObject([
    { status: 'COMPLETED', signers: [{ status: 'SIGNED' }, { status: 'SIGNED' }] },
  ])
  expect((await owner.call(readBudget, { params: { id: budget.id } })).status).toBe('SIGNED')
  await proxy.close()
})
