import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openFiles } from '#platform/adapters/files.ts'
import { newId } from '#platform/ids.ts'
import { bounds } from '../claims.ts'
import type { BenchEnvironment } from '../environment.ts'
import { type BenchOrganization, makeOrganization, tokensOf } from '../people.ts'
import type { Figure } from '../report.ts'
import { percentile, short, spread } from '../statistics.ts'

const items = 100
const pdfBytes = 1_048_576

/** The time to verify a signature: of the data of a budget, and of a PDF that is read each time. */
export async function verifySignature2(environment: BenchEnvironment): Promise<Figure[]> {
  const { organization, budgetId, signatureId } = await signed(environment)
  const raw = `a budget of ${items} items`
  return [await verification(environment, { organization, budgetId, signatureId, version: 2, raw })]
}

export async function verifySignature3(environment: BenchEnvironment): Promise<Figure[]> {
  const { organization, budgetId } = await signed(environment)
  const signatureId = await signedPdf(environment, organization.id, budgetId)
  return [
    await verification(environment, {
      organization,
      budgetId,
      signatureId,
      version: 3,
      raw: 'a PDF of 1 MiB',
    }),
  ]
}

type Verified = {
  organization: BenchOrganization
  budgetId: string
  signatureId: string
  version: 2 | 3
  raw: string
}

async function verification(
  environment: BenchEnvironment,
  { organization, budgetId, signatureId, version, raw }: Verified,
): Promise<Figure> {
  const [token = ''] = await tokensOf(organization)
  const path = `/budgets/${budgetId}/signatures/${signatureId}/verify`
  const rounds: number[] = []
  for (let round = 0; round <= environment.size.rounds; round++) {
    const times: number[] = []
    for (let n = 0; n < environment.size.pairs / 5; n++) {
      const startedAt = performance.now()
      const { status } = (await call(environment, token, 'GET', path)) as { status: string }
      times.push(performance.now() - startedAt)
      if (status !== 'VALID') throw new Error(`The signature is ${status}`)
    }
    // the first one warms up
    if (round > 0) rounds.push(percentile(times, 0.95))
  }
  const bound = version === 2 ? bounds.verify2Ms : bounds.verify3Ms
  return {
    name: `signature-verify-${version}`,
    value: spread(rounds.map(ms => ms / bound)),
    raw: [`p95 ${short(spread(rounds).median)} ms, one after the other, ${raw}`],
  }
}

type Signed = { organization: BenchOrganization; budgetId: string; signatureId: string }
const made = new WeakMap<BenchEnvironment, Promise<Signed>>()

/** A budget that was signed in the portal, as data. */
function signed(environment: BenchEnvironment): Promise<Signed> {
  const there = made.get(environment) ?? sign(environment)
  made.set(environment, there)
  return there
}

async function sign(environment: BenchEnvironment): Promise<Signed> {
  const organization = await makeOrganization(environment.sql, 'signatures', 1)
  const [token = ''] = await tokensOf(organization)
  const post = async (path: string, body: object) =>
    (await call(environment, token, 'POST', path, body)) as { id: string; url: string }
  const client = await post('/clients', { name: 'Client' })
  const taxes = [{ name: 'IVA', rate: '21' }]
  const item = { name: 'Design', description: 'Of all pages', quantity: '2.5', unitPriceCents: 6_000, taxes }
  const sections = [{ title: 'Phase', items: Array.from({ length: items }, () => item) }]
  const { id: budgetId } = await post('/budgets', { title: 'Web', clientId: client.id, sections })
  const { id, url } = await post(`/budgets/${budgetId}/signing-links`, {
    signerName: 'Ada',
    signerEmail: 'ada@example.test',
  })
  // as a link without its PDF
  await environment.sql.query('update signing_link set document_id = null where id = $1', [id])
  const address = `http://127.0.0.1:${environment.api.port}/s/${url.split('/').at(-1)}`
  const page = await (await fetch(address)).text()
  const documentHash = /name="documentHash" value="(\w+)"/.exec(page)?.[1]
  const answer = await fetch(`${address}/sign`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada', consent: 'en', documentHash }),
  })
  if (!answer.ok) throw new Error(`Signing answered ${answer.status} ${await answer.text()}`)
  const { signatureId } = (await answer.json()) as { signatureId: string }
  return { organization, budgetId, signatureId }
}

/** Another signature of the budget by the same link, of a PDF of the given size. */
async function signedPdf(
  environment: BenchEnvironment,
  organizationId: string,
  budgetId: string,
): Promise<string> {
  const dataDir = environment.env.DATA_DIR
  const files = await openFiles({ url: `file:${join(dataDir, 'files')}`, dataDir, s3: undefined })
  const incoming = await files.receive(randomBytes(pdfBytes), pdfBytes)
  await files.put([incoming])
  const [documentId, signatureId] = [newId(), newId()]
  await environment.sql.query(
    'insert into budget_document (organization_id, id, budget_id, sha256, size) values ($1, $2, $3, $4, $5)',
    [organizationId, documentId, budgetId, incoming.sha256, incoming.size],
  )
  await environment.sql.query(
    `insert into budget_signature (organization_id, id, budget_id, signing_link_id, document_id, via, signed_at, signer_name,
       signer_email, ip, ip_masked, user_agent, document_hash, hash_version, number, evidence_hash)
     select organization_id, $3, budget_id, signing_link_id, $4, via, signed_at, signer_name, signer_email, ip, ip_masked,
       user_agent, $5, 3, number + 1, evidence_hash
     from budget_signature where organization_id = $1 and budget_id = $2`,
    [organizationId, budgetId, signatureId, documentId, incoming.sha256],
  )
  return signatureId
}

async function call(
  environment: BenchEnvironment,
  token: string,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${environment.api.port}/api/crm${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${JSON.stringify(answer)}`)
  return answer
}
