import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { indexSkills, listPlugins } from '#contract/studio/tools.ts'
import { newId } from '#platform/ids.ts'
import { defined, firstOf, only } from '#tests/support/elements.ts'
import { makeToken } from '#tests/support/identity/personal-tokens.ts'
import { attach, publishedAsset } from '#tests/support/studio/tools.ts'
import {
  type Organization,
  type Person,
  startTestServer,
  type TestServer,
} from '#tests/support/test-server.ts'

let server: TestServer
let org: Organization
let author: Person
let reader: Person
let token: string
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization({ name: "Ada's Bakery & Söhne" })
  author = await org.person({ name: 'Ada' })
  reader = await org.person()
  token = await makeToken(reader)
})
afterAll(() => server?.close())

const index = async (by = token) => (await server.client(by).call(indexSkills)).skills
const plugins = async (by = token) => (await server.client(by).call(listPlugins)).plugins
const basic = (by = token) => ({ headers: { authorization: `Basic ${btoa(`patio:${by}`)}` } })
const signedPlugins = async () =>
  (
    JSON.parse((await download(listPlugins.path, basic())).text) as {
      plugins: Awaited<ReturnType<typeof plugins>>
    }
  ).plugins
const named = <Item extends { name: string }>(items: Item[], name: string) =>
  items.find(item => item.name === name)
/** Fetches an address of the catalogue from this server, whatever its public URL. */
async function download(address: string, init: RequestInit = {}) {
  const { pathname, search } = new URL(address, server.config.publicUrl)
  const response = await fetch(`${server.url}${pathname}${search}`, init)
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString('utf8') }
}
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const bearer = (by = token) => ({ headers: { authorization: `Bearer ${by}` } })

describe('the index of skills', () => {
  test('contains the address of a single file or an archive, with the digest of its bytes', async () => {
    await publishedAsset(author, { type: 'SKILL', name: 'Alone', description: 'Does <one> thing' })
    await publishedAsset(author, {
      type: 'SKILL',
      name: 'In company',
      description: '',
      frontmatter: { 'argument-hint': '[x]' },
      files: { 'scripts/run.sh': 'echo hi\n' },
    })
    const response = await server.client(token).send(indexSkills)
    expect(response.headers.get('content-type')).toMatch('application/json')
    expect(response.body.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json')
    const [alone, company] = [
      defined(named(response.body.skills, 'alone')),
      defined(named(response.body.skills, 'in-company')),
    ]
    expect(alone).toEqual({
      name: 'alone',
      type: 'skill-md',
      description: 'Does ‹one› thing',
      url: expect.stringMatching(/^\/api\/studio\/packages\/c\w{24}\/SKILL\.md\?/),
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    })
    expect(company).toMatchObject({ type: 'archive', description: 'In company' })

    const [file, archive] = [await download(alone.url), await download(company.url)]
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8'])
    expect(file.text).toMatch(/^---\nname: alone\ndescription: "?Does ‹one› thing"?\n/)
    expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/zip'])
    expect(archive.headers.get('content-disposition')).toMatch('attachment; filename="in-company.zip"')
    expect([`sha256:${digest(file.bytes)}`, `sha256:${digest(archive.bytes)}`]).toEqual([
      alone.digest,
      company.digest,
    ])
    expect(archive.bytes.includes('SKILL.md')).toBe(true)
    expect(archive.bytes.includes('in-company/SKILL.md')).toBe(false)
  })

  test('is equal in every process as long as nothing changes', async () => {
    const other = await server.anotherApi()
    const there = await server.client(token, other.url).send(indexSkills)
    expect(there.text).toBe((await server.client(token).send(indexSkills)).text)
  })

  test('contains skills only, in their last published version', async () => {
    await publishedAsset(author, { type: 'AGENT', name: 'No skill' })
    const { id, slug } = await publishedAsset(author, { type: 'SKILL', name: 'Growing', bodyMarkdown: 'One' })
    const before = defined(named(await index(), slug))
    await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'Two', description: 'New' } })
    expect(defined(named(await index(), slug)).digest).toBe(before.digest)
    expect((await download(before.url)).text).toContain('One')
    await author.call(publishAsset, { params: { id } })
    const after = defined(named(await index(), slug))
    expect(after).toMatchObject({ description: 'New' })
    expect(`sha256:${digest((await download(after.url)).bytes)}`).toBe(after.digest)
    expect(after.digest).not.toBe(before.digest)
    // An address of the older version still returns that version
    expect((await download(before.url)).text).toContain('One')
    expect((await index()).map(({ name }) => name)).not.toContain('no-skill')
  })

  test('follows changes outside the version: name and slug', async () => {
    const { id } = await publishedAsset(author, { type: 'SKILL', name: 'Named', files: { 'a.md': 'a' } })
    const before = defined(named(await index(), 'named'))
    await author.call(updateAsset, { params: { id }, body: { name: 'Renamed', tags: ['x'] } })
    expect(named(await index(), 'named')).toBeUndefined()
    const after = defined(named(await index(), 'renamed'))
    expect(`sha256:${digest((await download(after.url)).bytes)}`).toBe(after.digest)
    expect(after.digest).not.toBe(before.digest)
  })

  test('changes neither counters nor records', async () => {
    const { id, slug } = await publishedAsset(author, { type: 'SKILL', name: 'Uncounted' })
    await download(defined(named(await index(), slug)).url)
    expect((await author.call(readAsset, { params: { id } })).usageCount).toBe(0)
    expect(await server.sql(`select 1 from audit where auth = 'personalToken'`)).toEqual([])
  })

  test('omits packages that no installer accepts', async () => {
    const { slug, currentVersionId } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Enormous',
      files: { 'a.bin': 'a' },
    })
    await server.sql('update asset_file set size = 52428801 where version_id = $1', [currentVersionId])
    expect(named(await index(), slug)).toBeUndefined()
  })

  test('omits only assets with missing files, while these are missing', async () => {
    const content = `only once ${newId()}`
    const { slug } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Torn',
      files: { 'a.txt': content },
    })
    const { files } = server.api.services
    const sha256 = createHash('sha256').update(content).digest('hex')
    await files.remove(sha256)
    const names = (await index()).map(({ name }) => name)
    expect(names).not.toContain(slug)
    expect(names).toContain('alone')
    expect(server.logged()).toContain('the content of an attachment is missing')
    await files.put([await files.receive(Buffer.from(content), 1_000)])
    expect(named(await index(), slug)).toBeDefined()
  })
})

describe('the marketplace', () => {
  test('lists skills, agents, commands and plugins as archives that Claude Code accepts', async () => {
    await publishedAsset(author, { type: 'SKILL', name: 'Shop skill', tags: ['sales'] })
    await publishedAsset(author, { type: 'AGENT', name: 'Shop agent', description: '' })
    await publishedAsset(author, { type: 'COMMAND', name: 'Shop command', bodyMarkdown: 'Go $ARGUMENTS' })
    await publishedAsset(author, { type: 'PLUGIN', name: 'Shop plugin', files: { 'skills/a/SKILL.md': 'a' } })
    await publishedAsset(author, { type: 'PROMPT', name: 'Shop prompt' })
    const marketplace = await server.client(token).call(listPlugins)
    expect(marketplace).toMatchObject({
      name: 'patio-adas-bakery-sohne',
      owner: { name: "Ada's Bakery & Söhne" },
    })
    const shop = marketplace.plugins.filter(({ name }) => name.startsWith('shop-'))
    expect(shop.map(({ name, category }) => [name, category]).sort()).toEqual([
      ['shop-agent', 'agent'],
      ['shop-command', 'command'],
      ['shop-plugin', 'plugin'],
      ['shop-skill', 'skill'],
    ])
    expect(named(shop, 'shop-skill')).toEqual({
      name: 'shop-skill',
      description: 'Of a test',
      version: '1.0.0',
      category: 'skill',
      tags: ['sales'],
      author: { name: 'Ada' },
      source: {
        source: 'archive',
        url: expect.stringMatching(
          /^http:\/\/localhost:4000\/packages\/c\w{24}\/shop-skill\.zip\?profile=claude-code$/,
        ),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    expect(defined(named(shop, 'shop-agent')).description).toBe('Shop agent')
    const inside: Record<string, string> = {
      'shop-skill': 'SKILL.md',
      'shop-agent': 'agents/shop-agent.md',
      'shop-command': 'commands/shop-command.md',
      'shop-plugin': '.claude-plugin/plugin.json',
    }
    for (const { name, source } of shop) {
      const { status, bytes } = await download(source.url, bearer())
      expect([status, digest(bytes), bytes.includes(defined(inside[name]))]).toEqual([
        200,
        source.sha256,
        true,
      ])
    }
  })

  test('signs addresses for clients that do not send the token again', async () => {
    const listed = firstOf(await signedPlugins())
    expect(listed.source.url).toMatch(/\/api\/studio\/packages\/.*&signature=/)
    const { status, bytes } = await download(listed.source.url)
    expect([status, digest(bytes)]).toEqual([200, listed.source.sha256])
  })

  test('supports HEAD, like the index and the files', async () => {
    const listed = firstOf(await signedPlugins())
    for (const path of [listPlugins.path, indexSkills.path])
      expect((await download(path, { ...bearer(), method: 'HEAD' })).status).toBe(200)
    const { status, bytes } = await download(listed.source.url, { method: 'HEAD' })
    expect([status, bytes.length]).toEqual([200, 0])
    expect((await download(listPlugins.path, { method: 'HEAD' })).status).toBe(401)
  })
})

describe('the access to a package', () => {
  test('by token requires READ access to the asset', async () => {
    const { slug, id } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Guarded',
      visibility: 'PRIVATE',
    })
    const own = defined(named(await plugins(await makeToken(author)), slug)).source.url
    const unknown = own.replace(/c\w{24}/, newId())
    expect(named(await plugins(), slug)).toBeUndefined()
    expect(named(await index(), slug)).toBeUndefined()
    const refused = await download(unknown, bearer())
    expect([refused.status, JSON.parse(refused.text).errorCode]).toEqual([404, 'ASSET_NOT_FOUND'])
    expect((await download(own, bearer())).text).toBe(refused.text)
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    expect((await download(own, bearer(await makeToken(stranger)))).text).toBe(refused.text)
    expect((await download(own)).status).toBe(401)

    await author.call(updateAsset, { params: { id }, body: { visibility: 'ORGANIZATION' } })
    expect((await download(own, bearer())).status).toBe(200)
  })

  test('by token covers published versions as long as they exist', async () => {
    const { id, slug } = await publishedAsset(author, { type: 'SKILL', name: 'Fleeting' })
    const { url } = defined(named(await plugins(), slug)).source
    const updated = await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'Unpublished' } })
    const draft = url.replace(/c\w{24}/, updated.currentVersionId)
    expect((await download(draft, bearer())).status).toBe(404)
    const signed = only((await signedPlugins()).filter(({ name }) => name === slug))
    await author.call(archiveAsset, { params: { id } })
    expect((await download(url, bearer())).status).toBe(404)
    expect((await download(signed.source.url)).status).toBe(404)
    const deleted = await publishedAsset(author, { type: 'SKILL', name: 'Gone' })
    const before = only((await signedPlugins()).filter(({ name }) => name === deleted.slug))
    await author.call(removeAsset, { params: { id: deleted.id } })
    expect((await download(before.source.url)).status).toBe(404)
  })

  test('by address is open to anyone until the address expires', async () => {
    const listed = firstOf(await signedPlugins())
    const url = new URL(listed.source.url)
    const endsIn = Number(url.searchParams.get('expires')) * 1_000 - Date.now()
    expect(endsIn).toBeGreaterThan(59 * 60_000)
    expect(endsIn).toBeLessThan(91 * 60_000)
    const past = url.searchParams
    past.set('expires', String(Math.floor(Date.now() / 1_000) - 1))
    const { seals } = server.api.services
    const [versionId, file] = url.pathname.split('/').slice(-2)
    const text = JSON.stringify([org.id, versionId, file, 'claude-code', Number(past.get('expires'))])
    past.set('signature', seals.seal('package address 1', text))
    const late = await download(url.href)
    expect([late.status, JSON.parse(late.text).errorCode]).toEqual([403, 'FILE_ADDRESS_INVALID'])
  })

  test('by address fails if any part was changed', async () => {
    const listed = await signedPlugins()
    const [one, other] = listed as [(typeof listed)[0], (typeof listed)[0]]
    expect((await download(one.source.url)).status).toBe(200)
    const stranger = await server.organization()
    const changed = (edit: (url: URL) => void) => {
      const url = new URL(one.source.url)
      edit(url)
      return url.href
    }
    const otherUrl = new URL(other.source.url)
    const addresses = [
      changed(url => url.searchParams.set('expires', '9999999999')),
      changed(url => url.searchParams.set('profile', 'agent-skills')),
      changed(url => url.searchParams.set('organization', stranger.id)),
      changed(url => url.searchParams.set('signature', defined(otherUrl.searchParams.get('signature')))),
      changed(url => url.searchParams.set('signature', 'x')),
      ...['expires', 'organization', 'signature'].map(name => changed(url => url.searchParams.delete(name))),
      changed(url => {
        url.pathname = url.pathname.replace(/c\w{24}/, defined(otherUrl.pathname.match(/c\w{24}/))[0])
      }),
      changed(url => {
        url.pathname = url.pathname.replace(/[^/]+$/, 'SKILL.md')
      }),
    ]
    const responses = await Promise.all(addresses.map(address => download(address)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([403]))
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
  })

  test('a file that is not a skill has no SKILL.md', async () => {
    const { slug } = await publishedAsset(author, { type: 'AGENT', name: 'Not a skill' })
    const { url } = defined(named(await plugins(), slug)).source
    expect((await download(url.replace(`${slug}.zip`, 'SKILL.md'), bearer())).status).toBe(404)
  })
})

test('a catalogue has a maximum length, and the most popular assets come first', async () => {
  const { slug, id } = await publishedAsset(author, { type: 'SKILL', name: 'Popular' })
  await server.sql('update asset_counter set usage_count = 1000000 where asset_id = $1', [id])
  expect(firstOf(await index()).name).toBe(slug)
  expect(firstOf(await plugins()).name).toBe(slug)
})

test('attachments keep their paths and cannot hide a file of the package', async () => {
  const created = await publishedAsset(author, {
    type: 'SKILL',
    name: 'Paths',
    files: { 'a/b/c.txt': 'deep' },
  })
  const { url } = defined(named(await index(), created.slug))
  const { bytes } = await download(url)
  expect(bytes.includes('a/b/c.txt')).toBe(true)
  const draft = await author.call(updateAsset, {
    params: { id: created.id },
    body: { bodyMarkdown: 'Again' },
  })
  await attach(author, created.id, { 'skill.md': 'in the way' })
  await author.call(publishAsset, { params: { id: created.id } })
  const after = await download(defined(named(await index(), created.slug)).url)
  expect(after.bytes.includes('skill.attached.md')).toBe(true)
  expect(draft.slug).toBe(created.slug)
})
