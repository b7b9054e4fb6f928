import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Entry, fromBufferPromise } from 'yauzl'
import { assetTypes, readAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { exportAsset } from '#contract/studio/packages.ts'
import { createVersion } from '#contract/studio/versions.ts'
import { defined, only } from '#tests/support/elements.ts'
import { until } from '#tests/support/processes.ts'
import { emittedEvents, makeAsset, shareAsset } from '#tests/support/studio/assets.ts'
import { addFiles, sha256Of } from '#tests/support/studio/files.ts'
import { exportPackage, importPackage } from '#tests/support/studio/packages.ts'
import { objectionsTo } from '#tests/support/studio/skill-rules.ts'
import { openStudioFixtures, type StudioFixtures } from '#tests/support/studio/studio-fixtures.ts'
import { filesIn, zipOfFiles } from '#tests/support/studio/zip.ts'
import type { Person } from '#tests/support/test-server.ts'

let { server, organization, author, other: colleague } = {} as StudioFixtures
beforeAll(async () => {
  ;({ server, organization, author, other: colleague } = await openStudioFixtures())
})
afterAll(() => server.close())

const send = (person: Person, id: string, query = {}, headers = {}) =>
  person.send(exportAsset, { params: { id }, query, headers })
const code = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).errorCode]
const textsIn = async (zip: Buffer) =>
  Object.fromEntries(Object.entries(await filesIn(zip)).map(([path, bytes]) => [path, `${bytes}`]))

/** A text that does not compress well. */
function varied(length: number): string {
  return Array.from({ length: length / 5 }, (_, n) => (n * n * 31).toString(36).slice(-4))
    .join('\n')
    .slice(0, length)
}

/** The path of the object with these bytes. */
function objectOf(bytes: string): string {
  const sha256 = sha256Of(bytes)
  return join(server.config.filesUrl.slice('file:'.length), 'objects', sha256.slice(0, 2), sha256)
}

describe('GET /assets/:id/export', () => {
  it('returns a ZIP named after the slug', async () => {
    const { id } = await makeAsset(author, {
      type: 'SKILL',
      name: 'My skill',
      bodyMarkdown: '# Mine\n',
      description: 'd',
    })
    await addFiles(author, id, [
      ['scripts/run.sh', '#!/bin/sh\n'],
      ['LICENSE', 'MIT'],
    ])
    const { status, headers, bytes } = await send(author, id)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-disposition')).toBe('attachment; filename="my-skill.zip"')
    expect(headers.get('cache-control')).toBe('private, no-cache')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const files = await textsIn(Buffer.from(bytes))
    expect(Object.keys(files)).toEqual([
      'my-skill/LICENSE',
      'my-skill/SKILL.md',
      'my-skill/asset-studio.json',
      'my-skill/scripts/run.sh',
    ])
    expect(files['my-skill/SKILL.md']).toBe(
      '---\nname: my-skill\ndescription: d\nmetadata:\n  title: My skill\n  version: "1.0.0"\n---\n\n# Mine\n',
    )
    const { currentVersionId, ...asset } = await author.call(readAsset, { params: { id } })
    const version = only(
      await server.sql<{ content_hash: string }>('select content_hash from asset_version where id = $1', [
        currentVersionId,
      ]),
    )
    expect(JSON.parse(defined(files['my-skill/asset-studio.json']))).toEqual({
      type: 'SKILL',
      slug: 'my-skill',
      name: 'My skill',
      description: 'd',
      version: '1.0.0',
      changelog: null,
      tags: [],
      iconName: null,
      color: null,
      frontmatter: asset.frontmatter,
      frontmatterText: null,
      contentHash: version.content_hash,
      files: [
        { path: 'LICENSE', sha256: sha256Of('MIT') },
        { path: 'scripts/run.sh', sha256: sha256Of('#!/bin/sh\n') },
      ],
    })
    expect((await emittedEvents(server, organization.id, id)).map(({ name }) => name)).not.toContain(
      'ai-asset.used',
    )
  })

  it('marks scripts as executable and contains no creation times', async () => {
    const { id } = await makeAsset(author, { type: 'SKILL', name: 'Modes' })
    await addFiles(author, id, [
      ['scripts/run.sh', '#!/bin/sh\n'],
      ['deep/scripts/x', 'x'],
      ['not-scripts/run.sh', '#!/bin/sh\n'],
    ])
    const archive = await fromBufferPromise(await exportPackage(author, id))
    const entries: Entry[] = []
    for await (const entry of archive.eachEntry()) entries.push(entry)
    expect(entries.map(entry => [entry.fileName, (entry.externalFileAttributes >>> 16).toString(8)])).toEqual(
      [
        ['modes/SKILL.md', '100644'],
        ['modes/asset-studio.json', '100644'],
        ['modes/deep/scripts/x', '100755'],
        ['modes/not-scripts/run.sh', '100644'],
        ['modes/scripts/run.sh', '100755'],
      ],
    )
    for (const entry of entries) {
      expect(entry.getLastModDate({ timezone: 'UTC' }).toISOString()).toBe('1980-01-01T00:00:00.000Z')
    }
  })

  it('lays out each type as its clients expect', async () => {
    const paths = {
      SKILL: ['t/SKILL.md'],
      AGENT: ['t/agents/t.md'],
      COMMAND: ['t/commands/t.md'],
      PROMPT: ['t/t.prompt.md'],
      PLUGIN: ['t/.claude-plugin/plugin.json', 't/README.md', 't/plugin.json'],
    }
    for (const type of assetTypes) {
      const elsewhere = await (await server.organization()).person()
      const { id } = await makeAsset(elsewhere, {
        type,
        name: 'T',
        bodyMarkdown: 'Body',
        description: 'd',
        color: '0 50% 50%',
      })
      const wrapped = await textsIn(await exportPackage(elsewhere, id, { sidecar: false }))
      expect(Object.keys(wrapped)).toEqual(paths[type])
      const flat = await textsIn(await exportPackage(elsewhere, id, { sidecar: false, layout: 'flat' }))
      expect(flat).toEqual(
        Object.fromEntries(Object.entries(wrapped).map(([path, text]) => [path.slice(2), text])),
      )
      if (type === 'AGENT')
        expect(flat['agents/t.md']).toBe('---\nname: t\ndescription: d\ncolor: red\n---\n\nBody')
    }
  })

  it('is strict by default, and keeps the keys of Claude Code on request', async () => {
    const frontmatter = {
      'allowed-tools': ['Read', 'Grep'],
      model: 'opus',
      hooks: { Stop: [] },
      license: 'MIT',
    }
    const { id } = await makeAsset(author, {
      type: 'SKILL',
      name: 'Keys',
      frontmatter,
      description: 'Does <x>',
    })
    const strict = await filesIn(await exportPackage(author, id))
    expect(objectionsTo(strict)).toEqual([])
    expect(`${strict['keys/SKILL.md']}`).toContain(
      'description: "Does ‹x›"\nallowed-tools: Read Grep\nlicense: MIT\nmetadata:\n',
    )
    expect(`${strict['keys/SKILL.md']}`).toContain('  model: opus\n  hooks: "{\\"Stop\\":[]}"\n')
    const open = await filesIn(await exportPackage(author, id, { profile: 'claude-code' }))
    expect(`${open['keys/SKILL.md']}`).toContain(
      'description: "Does <x>"\nallowed-tools:\n  - Read\n  - Grep\nmodel: opus\nhooks:\n  Stop: []\n',
    )
  })

  it.each([
    ['small', 30_000],
    ['large', 3_000_000],
  ])(
    'has the same bytes for every caller, at any time and in every process: a %s one',
    async (name, length) => {
      const { id } = await makeAsset(author, {
        type: 'SKILL',
        name: `Same ${name}`,
        visibility: 'ORGANIZATION',
      })
      const long = varied(length)
      await addFiles(author, id, [
        ['b.txt', long],
        ['a.txt', 'a'],
      ])
      const other = await server.anotherApi()
      const first = await send(author, id)
      const [again, theirs, elsewhere] = [
        await send(author, id),
        await send(colleague, id),
        await colleague.at(other.url).send(exportAsset, { params: { id } }),
      ]
      for (const response of [again, theirs, elsewhere]) {
        expect(Buffer.from(response.bytes).equals(Buffer.from(first.bytes))).toBe(true)
        expect(response.headers.get('etag')).toBe(first.headers.get('etag'))
      }
      expect(await textsIn(Buffer.from(first.bytes))).toMatchObject({ [`same-${name}/b.txt`]: long })
    },
  )

  it('returns 304 when the client has it already', async () => {
    const { id } = await makeAsset(author, { type: 'SKILL', name: 'Known' })
    const tag = defined((await send(author, id)).headers.get('etag'))
    for (const known of [tag, `"x", W/${tag}`, '*']) {
      const { status, bytes, headers } = await send(author, id, {}, { 'if-none-match': known })
      expect([status, bytes.length, headers.get('etag')]).toEqual([304, 0, tag])
    }
    const tags = new Set([tag])
    for (const query of [{ layout: 'flat' }, { profile: 'claude-code' }, { sidecar: false }]) {
      tags.add(defined((await send(author, id, query)).headers.get('etag')))
    }
    expect((await send(author, id, {}, { 'if-none-match': '"x"' })).status).toBe(200)
    await addFiles(author, id, [['a', 'a']])
    tags.add(defined((await send(author, id)).headers.get('etag')))
    await author.call(updateAsset, { params: { id }, body: { iconName: 'owl' } })
    tags.add(defined((await send(author, id)).headers.get('etag')))
    expect(tags.size).toBe(5)
  })

  it('exports any version', async () => {
    const { id } = await makeAsset(author, { type: 'PROMPT', name: 'Versions', bodyMarkdown: 'one' })
    await addFiles(author, id, [['a.txt', 'a']])
    await author.call(publishAsset, { params: { id } })
    const body = {
      version: '3.0.0',
      bodyMarkdown: 'three',
      setCurrent: false,
      copyFiles: false,
      changelog: 'Third',
    }
    await author.call(createVersion, { params: { id }, body })
    const of = async (version?: string) =>
      textsIn(await exportPackage(author, id, version ? { version } : {}))
    const [current, latest] = [await of(), await of('latest')]
    expect(current['versions/versions.prompt.md']).toBe('---\nname: Versions\n---\n\none')
    expect(current).toHaveProperty('versions/a.txt', 'a')
    expect(latest['versions/versions.prompt.md']).toMatch(/three$/)
    expect(latest).not.toHaveProperty('versions/a.txt')
    expect(JSON.parse(defined(latest['versions/asset-studio.json']))).toMatchObject({
      version: '3.0.0',
      changelog: 'Third',
    })
    expect(await of('1.0.0')).toEqual(current)
    expect(await of('3.0.0')).toEqual(latest)
    expect(code(await send(author, id, { version: '9.9.9' }))).toEqual([404, 'VERSION_NOT_FOUND'])
  })

  it('never lets an attachment replace a file of the package', async () => {
    const { id } = await makeAsset(author, {
      type: 'SKILL',
      name: 'Shadow',
      bodyMarkdown: 'true',
      description: 'd',
    })
    const taken: [string, string][] = [
      ['SKILL.md', 'false'],
      ['asset-studio.json', '{}'],
      ['skill.MD', 'also false'],
    ]
    await addFiles(author, id, taken)
    const files = await textsIn(await exportPackage(author, id))
    expect(files['shadow/SKILL.md']).toMatch(/true$/)
    expect(files).toMatchObject({
      'shadow/SKILL.attached.md': 'false',
      'shadow/asset-studio.attached.json': '{}',
      'shadow/skill.attached-2.MD': 'also false',
    })
    const elsewhere = await (await server.organization()).person()
    const again = await importPackage(elsewhere, zipOfFiles(files))
    expect(again.files.map(({ path, sha256 }) => [path, sha256])).toEqual(
      taken.map(([path, text]) => [path, sha256Of(text)]).sort(),
    )
  })

  it('exports archived assets and requires READ access only', async () => {
    const { id } = await makeAsset(author, { name: 'Archived' })
    const creator = await organization.person({ permissions: ['STUDIO_CREATE', 'STUDIO_EDIT'] })
    await shareAsset(server, author, id, 'USER', colleague.id, { level: 'READ' })
    await shareAsset(server, author, id, 'USER', creator.id, { level: 'ADMIN' })
    await author.call(archiveAsset, { params: { id } })
    expect((await send(colleague, id)).status).toBe(200)
    expect(code(await send(creator, id))).toEqual([403, 'PERMISSION_DENIED'])
  })

  it('returns the same error for an unreadable asset and an unknown one', async () => {
    const { id } = await makeAsset(author, { name: 'Private' })
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const unknown = await send(stranger, 'c000000000000000000000000')
    expect(code(unknown)).toEqual([404, 'ASSET_NOT_FOUND'])
    expect((await send(stranger, id)).text).toBe(unknown.text)
    expect((await send(colleague, id)).text).toBe(unknown.text)
  })

  it.each([{ layout: 'zip' }, { profile: 'x' }, { sidecar: 'perhaps' }, { version: '' }])(
    'rejects %j',
    async query => {
      const { id } = await makeAsset(author)
      expect(code(await send(author, id, query))).toEqual([400, 'VALIDATION_ERROR'])
    },
  )

  it('returns unavailable when an attachment is missing', async () => {
    const { id } = await makeAsset(author, { type: 'SKILL', name: 'Lost' })
    await addFiles(author, id, [
      ['kept.txt', 'kept'],
      ['lost.txt', 'lost for ever'],
    ])
    rmSync(objectOf('lost for ever'))
    const response = await send(author, id)
    expect(code(response)).toEqual([503, 'UNAVAILABLE'])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('breaks off with an error when a later attachment is missing', async () => {
    const { id } = await makeAsset(author, { type: 'SKILL', name: 'Broken' })
    await addFiles(author, id, [
      ['a.txt', varied(3_000_000)],
      ['b.txt', 'gone in the middle'],
      ['c.txt', 'c'],
    ])
    rmSync(objectOf('gone in the middle'))
    await expect(send(author, id)).rejects.toThrow(/terminated|fetch failed|other side closed/)
    expect((await author.send(readAsset, { params: { id } })).status).toBe(200)
  })

  it('closes all files when the client disconnects', async () => {
    const { id } = await makeAsset(author, { type: 'SKILL', name: 'Left' })
    await addFiles(author, id, [['a.bin', new Uint8Array(randomBytes(8_000_000))]])
    const leave = new AbortController()
    const response = await fetch(`${server.url}/api/studio/assets/${id}/export`, {
      headers: { authorization: `Bearer ${author.token}` },
      signal: leave.signal,
    })
    await defined(response.body).getReader().read()
    expect(openObjects()).toHaveLength(1)
    leave.abort()
    // Soon: garbage collection closes leaked files too
    await until('nothing is open', () => openObjects().length === 0, 3_000)
  })
})

/** The stored objects that this process has open. */
function openObjects(): string[] {
  const names = readdirSync('/proc/self/fd').map(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`)
    } catch {
      return ''
    }
  })
  return names.filter(name => name.includes('/files/objects/'))
}
