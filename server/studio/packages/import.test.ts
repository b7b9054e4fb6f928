import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#contract/limits.ts'
import { readAsset } from '#contract/studio/assets.ts'
import { listFiles } from '#contract/studio/files.ts'
import { importAsset } from '#contract/studio/packages.ts'
import { emittedEvents, makeAsset } from '#tests/support/studio/assets.ts'
import { sha256Of, stored } from '#tests/support/studio/files.ts'
import { importPackage, packageForm, reportOf, sendPackage } from '#tests/support/studio/packages.ts'
import { zipOf, zipOfFiles } from '#tests/support/studio/zip.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let organization: Organization
let author: Person
beforeAll(async () => {
  server = await startTestServer()
  organization = await server.organization()
  author = await organization.person({ name: 'Ada Author' })
})
afterAll(() => server.close())

const skill = (name: string, more = '') =>
  `---\nname: ${name}\ndescription: Does it. Use when it must be done.\n${more}---\n\n# ${name}\n`
const shown = (id: string) => author.call(readAsset, { params: { id } })
const filesOf = async (id: string) =>
  (await author.call(listFiles, { params: { id, version: 'current' }, query: { limit: 100 } })).items
const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code)
const refusal = ({ status, body }: Awaited<ReturnType<typeof sendPackage>>) => [
  status,
  body.errorCode,
  ...codes(body.details ?? []),
]

describe('POST /assets/import', () => {
  it('creates a private draft of a skill with its first version and attachments', async () => {
    const more =
      'license: Apache-2.0 # see LICENSE\nmetadata:\n  version: "2.1"\n  tags: PDF, forms\n  title: PDF forms\n'
    const { status, body } = await sendPackage(
      author,
      zipOfFiles({
        'pdf-forms/SKILL.md': skill('pdf-forms', more),
        'pdf-forms/scripts/fill.py': 'print(1)\n',
        'pdf-forms/LICENSE': 'Apache',
        'pdf-forms/empty.txt': '',
      }),
    )
    expect(status).toBe(201)
    const { id, files, ...created } = body
    expect(created).toEqual({
      type: 'SKILL',
      slug: 'pdf-forms',
      name: 'PDF forms',
      status: 'DRAFT',
      visibility: 'PRIVATE',
      currentVersionId: expect.any(String),
      currentVersion: { version: '2.1.0', publishedAt: null },
      createdAt: expect.any(String),
      warnings: [
        { code: 'version-inexact', path: 'SKILL.md', line: null, message: 'The version is read as 2.1.0.' },
      ],
    })
    expect(await shown(id)).toMatchObject({
      description: 'Does it. Use when it must be done.',
      bodyMarkdown: '# pdf-forms\n',
      tags: ['pdf', 'forms'],
      frontmatter: {
        name: 'pdf-forms',
        license: 'Apache-2.0',
        metadata: { title: 'PDF forms', version: '2.1' },
      },
      author: { id: author.id },
    })
    expect(await filesOf(id)).toEqual(files)
    expect(files.map(({ path, contentType, size, sha256 }) => [path, contentType, size, sha256])).toEqual([
      ['LICENSE', 'text/plain', 6, sha256Of('Apache')],
      ['empty.txt', 'text/plain', 0, sha256Of('')],
      ['scripts/fill.py', 'text/x-python', 9, sha256Of('print(1)\n')],
    ])
    expect(files[0]).toMatchObject({ version: '2.1.0', createdBy: { id: author.id, name: 'Ada Author' } })
    expect(stored(server).incoming).toBe(0)
    expect(await emittedEvents(server, organization.id, id)).toEqual([
      { name: 'ai-asset.created', actor_id: author.id, data: { assetId: id, slug: 'pdf-forms' } },
    ])
    const audits = await server.sql('select operation, subject from audit where subject = $1', [id])
    expect(audits).toEqual([{ operation: 'POST /api/studio/assets/import', subject: id }])
  })

  it.each([
    [
      'a skill without a folder',
      { 'SKILL.md': skill('flat-one'), 'a/b.txt': 'x' },
      'SKILL',
      'flat-one',
      ['a/b.txt'],
    ],
    ['a skill in two nested folders', { 'repo/deep/SKILL.md': skill('deep') }, 'SKILL', 'deep', []],
    [
      'an agent',
      { 'x/agents/reviewer.md': '---\nname: reviewer\ndescription: Reviews\ncolor: cyan\n---\nYou review.' },
      'AGENT',
      'reviewer',
      [],
    ],
    [
      'a command',
      { 'commands/deploy.md': 'Deploy $ARGUMENTS', 'notes.txt': '' },
      'COMMAND',
      'deploy',
      ['notes.txt'],
    ],
    ['a command alone', { 'commands/ship.md': 'Ship $1' }, 'COMMAND', 'ship', []],
    [
      'a prompt',
      { 'p/p.prompt.md': '---\ndescription: d\n---\nSay it', 'p/docs/more.md': 'x' },
      'PROMPT',
      'p',
      ['docs/more.md'],
    ],
    ['one Markdown file', { 'README.md': '# R', 'notes-2.md': '# N' }, 'PROMPT', 'notes-2', ['README.md']],
    [
      'a plugin of Claude Code',
      { 'pl/.claude-plugin/plugin.json': '{"name":"pl-c"}', 'pl/skills/a/SKILL.md': skill('a') },
      'PLUGIN',
      'pl-c',
      ['skills/a/SKILL.md'],
    ],
    [
      'an Agent Plugin',
      { 'plugin.json': '{"$schema":"s","name":"acme.tools"}', 'mcp.json': '{}', 'README.md': '# Tools' },
      'PLUGIN',
      'acme-tools',
      ['mcp.json'],
    ],
    [
      'a plugin without a manifest',
      { 'bare-one/commands/a.md': 'a', 'bare-one/commands/b.md': 'b' },
      'PLUGIN',
      'bare-one',
      ['commands/a.md', 'commands/b.md'],
    ],
    [
      'several skills',
      { 'repo-s/one/SKILL.md': skill('one'), 'repo-s/two/SKILL.md': skill('two') },
      'PLUGIN',
      'repo-s',
      ['one/SKILL.md', 'two/SKILL.md'],
    ],
  ])('understands %s', async (_, files, type, slug, paths) => {
    const imported = await importPackage(author, files as Record<string, string>)
    expect(imported).toMatchObject({ type, slug })
    expect(imported.files.map(({ path }) => path)).toEqual(paths)
  })

  it('uses the README of a plugin as its body, and fields of either manifest', async () => {
    const { id } = await importPackage(author, {
      'plugin.json':
        '{"name":"acme-pdf","version":"3.0.0","keywords":["PDF"],"description":"From the portable one"}',
      '.claude-plugin/plugin.json':
        '{"name":"acme-pdf","displayName":"Acme PDF","description":"other","hooks":"./h"}',
      'README.md': '# Acme\n',
    })
    expect(await shown(id)).toMatchObject({
      name: 'Acme PDF',
      description: 'From the portable one',
      version: '3.0.0',
      tags: ['pdf'],
      bodyMarkdown: '# Acme\n',
      frontmatter: { name: 'acme-pdf', hooks: './h', displayName: 'Acme PDF' },
    })
  })

  it('tolerates mistakes and reports them as warnings', async () => {
    const report = await reportOf(
      author,
      zipOf([
        { name: 'Folder/', content: '' },
        {
          name: 'Folder/skill.md',
          content:
            '\ufeff---\r\nname: PDF_Tools\r\ndescription: Use it: always\r\nmodel: opus\r\nallowed-tools: [Read]\r\n' +
            'version: one\r\n---\r\nBody',
        },
        { name: 'Folder/Guide.md', content: 'a' },
        { name: 'Folder/guide.md', content: 'b' },
        { name: 'Folder/con.txt', content: 'c' },
        { name: 'Folder/.DS_Store', content: 'junk' },
        { name: '__MACOSX/Folder/._skill.md', content: 'junk' },
        { name: 'Folder/node_modules/x/y.js', content: 'junk' },
        { name: 'Folder/node_modules/x/z.js', content: 'junk' },
      ]),
    )
    expect(report).toMatchObject({ isImportable: true, type: 'SKILL', name: 'PDF_Tools', errors: [] })
    expect(report.files.map(({ path }) => path)).toEqual(['Guide.md', 'con.txt', 'guide.md'])
    expect(report.warnings.map(({ code, path, line }) => [code, path, line])).toEqual([
      ['junk-skipped', 'Folder/.DS_Store', null],
      ['junk-skipped', '__MACOSX/Folder/._skill.md', null],
      ['junk-skipped', 'Folder/node_modules/x/y.js', null],
      ['case-collision', 'Folder/guide.md', null],
      ['windows-name', 'Folder/con.txt', null],
      ['byte-order-mark', 'skill.md', null],
      ['colon-unquoted', 'skill.md', 3],
      ['skill-file-name', 'skill.md', null],
      ['name-mismatch', 'skill.md', null],
      ['key-unknown', 'skill.md', null],
      ['value-unexpected', 'skill.md', null],
      ['key-unknown', 'skill.md', null],
      ['version-invalid', 'skill.md', null],
      ['name-invalid', 'skill.md', null],
    ])
  })

  it('keeps a description that is longer than skills may have', async () => {
    const description = 'x'.repeat(2_000)
    const { id, warnings } = await importPackage(author, {
      'SKILL.md': `---\nname: long-one\ndescription: ${description}\n---\n`,
    })
    expect(codes(warnings)).toEqual(['description-long'])
    expect((await shown(id)).description).toBe(description)
  })

  it('adds a number to a slug that is taken', async () => {
    const files = { 'twin/SKILL.md': skill('twin') }
    expect((await importPackage(author, files)).slug).toBe('twin')
    expect((await importPackage(author, files)).slug).toBe('twin-2')
    await makeAsset(author, { name: 'Twin' })
    const slugs = await Promise.all(Array.from({ length: 4 }, () => importPackage(author, files)))
    expect(new Set(slugs.map(({ slug }) => slug)).size).toBe(4)
  })

  it('only reports with dryRun', async () => {
    const before = stored(server)
    const count = async () => (await server.sql('select count(*)::int as n from asset'))[0]
    const assets = await count()
    const report = await reportOf(author, {
      'dry/SKILL.md': skill('dry', 'metadata:\n  version: 1.2.3\n  tags: a\n'),
      'dry/data.bin': Buffer.from([0, 1, 2]),
    })
    expect(report).toEqual({
      isImportable: true,
      type: 'SKILL',
      name: 'dry',
      version: '1.2.3',
      tags: ['a'],
      description: 'Does it. Use when it must be done.',
      frontmatter: expect.objectContaining({ metadata: { version: '1.2.3', tags: 'a' } }),
      files: [
        {
          path: 'data.bin',
          size: 3,
          sha256: sha256Of(Buffer.from([0, 1, 2])),
          contentType: 'application/octet-stream',
        },
      ],
      errors: [],
      warnings: [],
    })
    const broken = await reportOf(author, { 'x/SKILL.md': '---\nname: x\n---\n' })
    expect(broken).toMatchObject({
      isImportable: false,
      errors: [{ code: 'description-missing', path: 'SKILL.md' }],
    })
    expect(await reportOf(author, Buffer.from('PK'))).toMatchObject({ errors: [{ code: 'archive-damaged' }] })
    expect(stored(server)).toEqual(before)
    expect(await count()).toEqual(assets)
  })

  it.each<[string, string[], Record<string, string | Buffer>]>([
    ['no known file', ['type-unknown'], { 'a/b.txt': 'x' }],
    ['no file', ['type-unknown'], {}],
    ['several prompts', ['type-unknown'], { 'a.prompt.md': 'x', 'b.prompt.md': 'x' }],
    ['a skill without description', ['description-missing'], { 'SKILL.md': '---\nname: x\n---\n' }],
    ['a skill without front matter', ['description-missing'], { 'SKILL.md': '# Skill' }],
    ['front matter that does not end', ['frontmatter-unclosed'], { 'SKILL.md': '---\nname: x\n' }],
    [
      'front matter in JavaScript',
      ['frontmatter-language'],
      { 'SKILL.md': '---js\n{name: process.exit()}\n---\n' },
    ],
    ['front matter that is not YAML', ['frontmatter-invalid'], { 'SKILL.md': '---\nname: [\n---\n' }],
    ['anchors', ['frontmatter-anchor'], { 'x.prompt.md': '---\na: &a x\nb: *a\n---\n' }],
    ['tags', ['frontmatter-tag'], { 'x.prompt.md': '---\na: !!js/eval x\n---\n' }],
    ['text that is not UTF-8', ['not-text'], { 'SKILL.md': Buffer.from('---\nname: \xff\n---\n', 'latin1') }],
    ['text with NUL', ['not-text'], { 'x.prompt.md': 'a\0b' }],
    ['a body that is too long', ['body-too-long'], { 'x.prompt.md': 'x'.repeat(limits.assetBody + 1) }],
    ['a manifest that is not JSON', ['manifest-invalid'], { 'plugin.json': '{"name":' }],
    ['a manifest that is a list', ['manifest-invalid'], { 'plugin.json': '[]' }],
    ['a manifest with __proto__', ['manifest-invalid'], { 'plugin.json': '{"__proto__":{"name":"x"}}' }],
    ['a plugin without a name', ['name-missing'], { 'plugin.json': '{}' }],
    ['a path that is too deep', ['path-invalid'], { 'SKILL.md': skill('x'), 'a/b/c/d/e/f/g/h/i': '' }],
    ['a path that is too long', ['path-invalid'], { 'SKILL.md': skill('x'), [`${'é'.repeat(128)}`]: '' }],
  ])('rejects %s', async (_, expected, files) => {
    const before = stored(server)
    expect(refusal(await sendPackage(author, zipOfFiles(files)))).toEqual([
      400,
      'PACKAGE_INVALID',
      ...expected,
    ])
    expect(stored(server)).toEqual(before)
  })

  it('accepts a body of exactly the limit, counted in characters', async () => {
    const body = '😀'.repeat(limits.assetBody)
    const { id } = await importPackage(author, { 'big-body.prompt.md': body })
    expect((await shown(id)).bodyMarkdown).toBe(body)
  })

  it('rejects a form that is not exactly one package', async () => {
    const send = (form: FormData) => author.send(importAsset, { form })
    const zip = zipOfFiles({ 'a.prompt.md': 'x' })
    const twice = packageForm(zip)
    twice.append('file', new Blob([new Uint8Array(zip)]), 'b.zip')
    const field = packageForm(zip)
    field.append('name', 'x')
    const other = new FormData()
    other.append('package', new Blob([new Uint8Array(zip)]), 'b.zip')
    const text = new FormData()
    text.append('file', 'not a file')
    for (const form of [new FormData(), twice, field, other, text]) {
      expect(await send(form)).toMatchObject({ status: 400, body: { errorCode: 'VALIDATION_ERROR' } })
    }
    const json = await author.send(importAsset, { body: {} as never })
    expect(json).toMatchObject({ status: 415 })
    expect(stored(server).incoming).toBe(0)
  })

  it('leaves nothing behind when the files cannot be stored, and works again afterwards', async () => {
    const broken = await startTestServer()
    try {
      const person = await (await broken.organization()).person()
      const zip = zipOfFiles({ 'SKILL.md': skill('stored'), 'a.txt': 'a', 'b.txt': 'b' })
      const objects = join(broken.config.filesUrl.slice('file:'.length), 'objects')
      rmSync(objects, { recursive: true })
      writeFileSync(objects, 'in the way')
      const response = await sendPackage(person, zip)
      expect([response.status, response.body.errorCode]).toEqual([503, 'UNAVAILABLE'])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      rmSync(objects)
      expect(await broken.sql('select id from asset union all select slug from asset_slug')).toEqual([])
      expect(stored(broken)).toEqual({ objects: [], incoming: 0 })
      expect((await sendPackage(person, zip)).body).toMatchObject({ slug: 'stored' })
      expect(stored(broken)).toMatchObject({ objects: [sha256Of('a'), sha256Of('b')].sort(), incoming: 0 })
    } finally {
      await broken.close()
    }
  })

  it('requires the permission to create', async () => {
    const zip = zipOfFiles({ 'SKILL.md': skill('mine') })
    const viewer = await organization.person({ permissions: ['STUDIO_VIEW', 'STUDIO_EDIT'] })
    expect(refusal(await sendPackage(viewer, zip))).toEqual([403, 'PERMISSION_DENIED'])
    const creator = await organization.person({ permissions: ['STUDIO_CREATE'] })
    expect((await sendPackage(creator, zip)).status).toBe(201)
    const other = await (await server.organization({ plan: 'FREE' })).person()
    expect((await sendPackage(other, zip)).status).toBe(201)
  })
})
