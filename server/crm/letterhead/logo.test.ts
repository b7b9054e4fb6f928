import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { extractImages, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { issueInvoice } from '#contract/billing/invoices.ts'
import {
  openLogo,
  readLetterhead,
  removeLogo,
  updateLetterhead,
  uploadLogo,
} from '#contract/crm/letterhead.ts'
import { limits } from '#contract/limits.ts'
import { makeInvoice, plantIssuer } from '#tests/support/billing/invoices.ts'
import { makeBudget } from '#tests/support/crm/budgets.ts'
import { auditedChanges } from '#tests/support/crm/leads-and-clients.ts'
import { plantLogos } from '#tests/support/many-rows.ts'
import { makePng, smallJpeg } from '#tests/support/pictures.ts'
import { refusalOf } from '#tests/support/refusals.ts'
import { formOf } from '#tests/support/studio/files.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  organization = await server.organization()
  owner = await organization.person({ role: 'OWNER' })
})
afterAll(() => server?.close())

const send = (picture: Buffer, by = owner) => by.send(uploadLogo, { form: formOf(['logo', picture]) })

test('a logo is stored, shown, replaced and removed', async () => {
  const png = makePng(40, 20)
  const first = await send(png)
  expect(first).toMatchObject({
    status: 200,
    body: { accentColor: null, logo: { contentType: 'image/png' } },
  })
  const shown = await owner.send(openLogo)
  expect(shown.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(shown.bytes).equals(png)).toBe(true)
  expect((await send(smallJpeg)).body).toMatchObject({ logo: { contentType: 'image/jpeg' } })
  // the other fields are set apart from the logo
  const fields = { accentColor: null, accountHolder: null, iban: null, bic: null, footer: 'Footer' }
  expect((await owner.call(updateLetterhead, { body: fields })).logo).not.toBeNull()
  const removed = await owner.call(removeLogo)
  expect(removed).toEqual({ ...fields, logo: null })
  expect(await owner.call(readLetterhead)).toEqual(removed)
  expect(refusalOf(await owner.send(openLogo))).toEqual([404, 'FILE_NOT_FOUND'])
  await owner.call(removeLogo)
  expect(await auditedChanges(server, owner.organizationId)).toEqual([
    ['logo'],
    ['logo'],
    ['footer'],
    ['logo'],
    [],
  ])
})

test('requires CRM_VIEW to read and ORG_MANAGE to change, in the own organization', async () => {
  await send(makePng(4, 4))
  const viewer = await organization.person({ permissions: ['CRM_VIEW', 'CRM_EDIT'] })
  expect((await viewer.send(openLogo)).status).toBe(200)
  expect(refusalOf(await send(smallJpeg, viewer))).toEqual([403, 'PERMISSION_DENIED'])
  expect(refusalOf(await viewer.send(removeLogo))).toEqual([403, 'PERMISSION_DENIED'])
  const stranger = await (await server.organization()).person({ role: 'OWNER' })
  expect(refusalOf(await stranger.send(openLogo))).toEqual([404, 'FILE_NOT_FOUND'])
})

test.each([
  ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an empty file', Buffer.alloc(0)],
  ['a PNG with too many pixels', makePng(2_001, 1_000)],
  ['a PNG that decompresses to more than its pixels', makePng(4, 4, deflateSync(Buffer.alloc(50_000_000)))],
  ['a PNG that decompresses to less', makePng(4, 4, deflateSync(Buffer.alloc(10)))],
  ['a PNG without pixels', makePng(4, 4).subarray(0, 40)],
  ['a PNG of no width', makePng(0, 4)],
  ['a JPEG without its end', smallJpeg.subarray(0, 20)],
])('%s is no logo', async (_, picture) => {
  expect(await send(picture)).toMatchObject({ status: 400, body: { details: [{ path: 'file' }] } })
  expect((await owner.call(readLetterhead)).logo).toBeNull()
})

test('is at most 512 KiB, and a hundred of an organization are kept', async () => {
  expect(refusalOf(await send(randomBytes(limits.logoBytes + 1)))).toEqual([413, 'BODY_TOO_LARGE'])
  await plantLogos(server, owner.organizationId, limits.logosPerOrganization)
  expect(refusalOf(await send(makePng(5, 5)))).toEqual([413, 'TOO_MANY_FILES'])
  expect((await owner.call(readLetterhead)).logo).toBeNull()
})

test('is on budgets and invoices; an issued invoice keeps it', async () => {
  await plantIssuer(server, owner.organizationId, 'FR')
  const { body } = await send(makePng(60, 30))
  const budget = await makeBudget(owner)
  const { id } = await makeInvoice(owner, { draft: true })
  await owner.call(issueInvoice, { params: { id }, body: {} })
  const [ofBudget, ofInvoice] = [`crm/budgets/${budget.id}`, `billing/invoices/${id}`]
  const before = await bytesOf(ofInvoice)
  for (const bytes of [before, await bytesOf(ofBudget)]) expect(await sizesOf(bytes)).toEqual([[60, 30]])
  await owner.call(removeLogo)
  expect((await bytesOf(ofInvoice)).equals(before)).toBe(true)
  expect(await sizesOf(await bytesOf(ofBudget))).toEqual([])
  // the file stays for the invoice
  const sha256 = (body as { logo: { sha256: string } }).logo.sha256
  expect(await server.sql('select sha256 from file_reference where sha256 = $1', [sha256])).toHaveLength(1)
})

async function bytesOf(path: string): Promise<Buffer> {
  const headers = { authorization: `Bearer ${owner.token}` }
  const answer = await fetch(`${server.url}/api/${path}/pdf`, { headers })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

/** Width and height of the pictures on the first page. */
async function sizesOf(bytes: Buffer): Promise<[number, number][]> {
  const pictures = await extractImages(await getDocumentProxy(new Uint8Array(bytes)), 1)
  return pictures.map(({ width, height }) => [width, height])
}
