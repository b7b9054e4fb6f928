import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { readAsset } from '#contract/studio/assets.ts'
import { defined } from '#tests/support/elements.ts'
import { makeAsset } from '#tests/support/studio/assets.ts'
import { exportPackage, importPackage, reportOf, sendPackage } from '#tests/support/studio/packages.ts'
import { filesIn, zipOfFiles } from '#tests/support/studio/zip.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let author: Person
let asset: { id: string }
beforeAll(async () => {
  server = await startTestServer()
  author = await (await server.organization()).person()
  asset = await makeAsset(author)
})
afterAll(() => server.close())

type Refused = {
  errorCode?: string
  message?: string
  limit?: number
  details?: { path: string; code: string; message: string }[]
}

/** Sends JSON exactly as written. The typed client would parse it first. */
async function post(method: string, path: string, json: string) {
  const response = await fetch(`${server.url}/api/studio/assets${path}`, {
    method,
    headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
    body: json,
  })
  return { status: response.status, body: (await response.json()) as Refused & { id: string } }
}

const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
const places = (given: string) =>
  [
    ['POST', '', `{"type":"SKILL","name":"Bounded","frontmatter":${given}}`],
    ['PATCH', `/${asset.id}`, `{"frontmatter":${given}}`],
    ['POST', `/${asset.id}/versions`, `{"frontmatter":${given}}`],
  ] as const

describe('front matter in JSON', () => {
  it.each([
    ['90,000 keys', JSON.stringify(fields(90_000)), ''],
    ['more keys than a package may have', JSON.stringify(fields(2_000)), 'frontmatter'],
    ['lists of lists', `{"a":[${'[],'.repeat(4_000)}[]]}`, 'frontmatter'],
    ['a text of 200,000', JSON.stringify({ a: 'x'.repeat(200_000) }), 'frontmatter'],
    ['a key of 200,000', JSON.stringify({ ['x'.repeat(200_000)]: 1 }), 'frontmatter'],
  ])('has the limits of packages in every operation: %s', async (_, given, path) => {
    for (const [method, at, json] of places(given)) {
      const { status, body } = await post(method, at, json)
      expect([method, at, status, body.errorCode, body.details?.[0]?.path]).toEqual([
        method,
        at,
        400,
        'VALIDATION_ERROR',
        path,
      ])
    }
  })

  it.each(['1e400', '-1e400', '9007199254740993', '-9007199254740992', '123456789012345678901234567890'])(
    'rejects the number %s, which JSON cannot represent',
    async number => {
      for (const [method, at, json] of places(`{"list":[1,{"n":${number}}]}`)) {
        const { status, body } = await post(method, at, json)
        expect([status, body.errorCode, body.details?.[0]?.path]).toEqual([
          400,
          'VALIDATION_ERROR',
          'frontmatter.list.1.n',
        ])
      }
    },
  )

  it('keeps all other numbers', async () => {
    const frontmatter = { a: 9_007_199_254_740_991, b: -9_007_199_254_740_991, c: 0.1, d: 1e-7, e: 1.5, f: 0 }
    const { id } = await makeAsset(author, { frontmatter })
    expect((await author.call(readAsset, { params: { id } })).frontmatter).toEqual(frontmatter)
  })

  it.each([
    ['many keys', fields(700)],
    ['a long text', { text: 'x'.repeat(limits.frontmatterCharacters - 100) }],
  ])('survives export and import at the maximum size: %s', async (_, frontmatter) => {
    const description = 'd'.repeat(limits.assetDescription)
    const { id } = await makeAsset(author, { type: 'SKILL', frontmatter, description })
    for (const sidecar of [true, false]) {
      const zip = await exportPackage(author, id, { profile: 'claude-code', sidecar })
      const { id: copy } = await importPackage(author, zip)
      expect((await author.call(readAsset, { params: { id: copy } })).frontmatter).toMatchObject(frontmatter)
    }
  })
})

describe('front matter in packages', () => {
  const skill = (yaml: string) => ({ 'SKILL.md': `---\nname: s\ndescription: d\n${yaml}---\n` })

  it.each([
    ['a manifest of 90,000 keys', { 'plugin.json': JSON.stringify({ name: 'p', ...fields(90_000) }) }],
    ['a manifest with a long text', { 'plugin.json': JSON.stringify({ name: 'p', a: 'x'.repeat(200_000) }) }],
    ['a manifest with a number', { 'plugin.json': '{"name":"p","n":1e400}' }],
    ['a manifest with an integer', { 'plugin.json': '{"name":"p","n":9007199254740993}' }],
    ['YAML of 2,000 keys', skill(Array.from({ length: 2_000 }, (_, n) => `k${n}: 1\n`).join(''))],
  ])('is rejected beyond the same limits: %s', async (_, files) => {
    const { status, body } = await sendPackage(author, zipOfFiles(files as Record<string, string>))
    expect([status, body.errorCode]).toEqual([400, 'PACKAGE_INVALID'])
  })

  it('keeps a number that JSON cannot represent as text', async () => {
    const { frontmatter } = await reportOf(author, skill('a: 1e400\nb: 9007199254740994\nc: 12\n'))
    expect(frontmatter).toMatchObject({ a: '1e400', b: '9007199254740994', c: 12 })
  })

  it('ignores a sidecar beyond the limits', async () => {
    const { id } = await makeAsset(author, { type: 'SKILL', description: 'd', frontmatter: { a: 1 } })
    const files = await filesIn(await exportPackage(author, id, { layout: 'flat' }))
    const sidecar = JSON.parse(String(files['asset-studio.json']))
    sidecar.frontmatter = fields(30_000)
    const report = await reportOf(author, { ...files, 'asset-studio.json': JSON.stringify(sidecar) })
    expect(report.warnings.map(({ code }) => code)).toContain('sidecar-invalid')
  })
})

describe('bodies', () => {
  const escaped = (json: string) =>
    json.replace(/[^\0-\x7f]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

  it.each([
    ['CJK', '漢', (json: string) => json],
    ['emoji', '🦉', (json: string) => json],
    ['emoji in escapes', '🦉', escaped],
  ])('accept the maximum number of characters: %s', async (_, letter, spell) => {
    const bodyMarkdown = letter.repeat(limits.assetBody)
    const description = letter.repeat(limits.assetDescription)
    const json = spell(JSON.stringify({ type: 'PROMPT', name: 'Long', bodyMarkdown, description }))
    const { status, body } = await post('POST', '', json)
    expect(status, body.message).toBe(201)
    const imported = await author.call(readAsset, { params: { id: body.id } })
    expect(imported.bodyMarkdown === bodyMarkdown && imported.description === description).toBe(true)
    expect((await post('PATCH', `/${asset.id}`, spell(JSON.stringify({ bodyMarkdown })))).status).toBe(200)
  })

  it('reject one character more', async () => {
    const json = JSON.stringify({ type: 'PROMPT', name: 'Long', bodyMarkdown: '🦉'.repeat(500_001) })
    const { status, body } = await post('POST', '', json)
    expect([status, body.details?.[0]?.path]).toEqual([400, 'bodyMarkdown'])
  })

  it('are rejected with the limit when they are too large', async () => {
    const small = await post('POST', '/ck/use', JSON.stringify({ x: 'x'.repeat(limits.bodyBytes) }))
    expect([small.status, small.body.errorCode, small.body.limit]).toEqual([
      413,
      'BODY_TOO_LARGE',
      limits.bodyBytes,
    ])
    expect(small.body.message).toContain('1048576 bytes')
    const large = await post('POST', '', JSON.stringify({ x: 'x'.repeat(limits.bodyBytesMost) }))
    expect([large.status, defined(large.body.limit) > 6_000_000]).toEqual([413, true])
  })
})

describe('an import reports everything that it truncates', () => {
  const long = 'é'.repeat(5_000)
  it.each([
    ['description', `description: ${long}\n`, 'description-cut'],
    ['name', `description: d\nmetadata:\n  title: ${'t'.repeat(300)}\n`, 'name-cut'],
    ['tags', `description: d\nmetadata:\n  tags: a, ${'b'.repeat(49)}\n`, 'tags-cut'],
    [
      'too many tags',
      `description: d\nmetadata:\n  tags: ${Array.from({ length: 60 }, (_, n) => `t${n}`)}\n`,
      'tags-cut',
    ],
    ['icon', `description: d\nmetadata:\n  icon: ${'i'.repeat(65)}\n`, 'icon-cut'],
    ['color', `description: d\nmetadata:\n  color: ${'c'.repeat(33)}\n`, 'color-cut'],
  ])('%s', async (_, yaml, code) => {
    const { warnings, isImportable } = await reportOf(author, { 'SKILL.md': `---\nname: s\n${yaml}---\n` })
    expect([isImportable, ...warnings.map(warning => warning.code)]).toContain(code)
  })
})
