import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAsset, removeAsset, updateAsset } from '#contract/studio/assets.ts'
import { archiveAsset, publishAsset } from '#contract/studio/lifecycle.ts'
import { removeShare } from '#contract/studio/shares.ts'
import { callMcp } from '#contract/studio/tools.ts'
import { defined, findIn, only } from '#tests/support/elements.ts'
import { makeToken } from '#tests/support/identity/personal-tokens.ts'
import { emittedEvents, makeAsset, makeUnit, shareAsset } from '#tests/support/studio/assets.ts'
import { connectMcp, publishedAsset } from '#tests/support/studio/tools.ts'
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
let client: Client
beforeAll(async () => {
  server = await startTestServer()
  org = await server.organization()
  author = await org.person()
  reader = await org.person()
  token = await makeToken(reader)
  client = await connectMcp(server.url, token)
})
afterAll(async () => {
  await client?.close()
  await server?.close()
})

/** One message on the wire. */
const send = (message: unknown, headers: Record<string, string> = {}, by = token) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}`, 'content-type': 'application/json', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
type Listed = { name: string; uri: string }
/** The inspected part of a reply: a result or an error, and neither when authentication fails. */
type Rpc = {
  result: {
    messages: { content: { text: string } }[]
    contents: unknown[]
    prompts: Listed[]
    resources: Listed[]
    nextCursor?: string
  }
  error: { code: number }
  errorCode?: string
}
const rpc = async (method: string, params?: unknown, by = token) => {
  const response = await send(
    { jsonrpc: '2.0', id: 7, method, ...(params !== undefined && { params }) },
    {},
    by,
  )
  return { status: response.status, body: (await response.json()) as Rpc }
}
const usage = async (id: string) => (await author.call(readAsset, { params: { id } })).usageCount
const everyPrompt = async (who: Client) => (await who.listPrompts()).prompts.map(({ name }) => name)

describe.each(['modern', 'legacy'] as const)('a client of the %s protocol', era => {
  test('lists and fetches prompts and resources, and offers no tools', async () => {
    const { slug } = await publishedAsset(author, {
      name: `Greet ${era}`,
      bodyMarkdown: 'Greet $ARGUMENTS politely',
    })
    const other = await connectMcp(server.url, token, era)
    expect(other.getServerVersion()).toMatchObject({ name: 'patio', title: 'Patio' })
    expect(other.getServerCapabilities()).toEqual({
      prompts: {},
      resources: {},
      extensions: { 'io.modelcontextprotocol/skills': {} },
    })
    expect((await other.listPrompts()).prompts).toContainEqual({
      name: slug,
      title: `Greet ${era}`,
      description: 'Of a test',
      arguments: [{ name: 'arguments', required: false }],
    })
    expect(await other.getPrompt({ name: slug, arguments: { arguments: 'Ada' } })).toMatchObject({
      description: 'Of a test',
      messages: [{ role: 'user', content: { type: 'text', text: 'Greet Ada politely' } }],
    })
    const { resources } = await other.listResources()
    expect(resources).toContainEqual({
      uri: `patio://assets/${slug}`,
      name: slug,
      title: `Greet ${era}`,
      description: 'Of a test',
      mimeType: 'text/markdown',
    })
    expect((await other.readResource({ uri: `patio://assets/${slug}` })).contents).toEqual([
      {
        uri: `patio://assets/${slug}`,
        mimeType: 'text/markdown',
        text: expect.stringMatching(/^---\n.*Greet \$ARGUMENTS politely$/s),
      },
    ])
    expect((await other.listResourceTemplates()).resourceTemplates).toHaveLength(3)
    await other.close()
  })
})

describe('the catalogue for tools', () => {
  test('contains the last published version, not later ones', async () => {
    const { id, slug } = await publishedAsset(author, { name: 'Steady', bodyMarkdown: 'First $0' })
    await author.call(updateAsset, {
      params: { id },
      body: { bodyMarkdown: 'Second', description: 'Not yet', frontmatter: { arguments: 'later' } },
    })
    const listed = async () => (await client.listPrompts()).prompts.find(({ name }) => name === slug)
    const got = async () => only((await client.getPrompt({ name: slug })).messages).content
    expect(await listed()).toMatchObject({ description: 'Of a test', arguments: [] })
    expect(await got()).toMatchObject({ text: 'First $0' })
    await author.call(publishAsset, { params: { id } })
    expect(await listed()).toMatchObject({
      description: 'Not yet',
      arguments: [{ name: 'later', required: false }],
    })
    expect(await got()).toMatchObject({ text: 'Second' })
  })

  test('contains what the person may read at that moment', async () => {
    const secret = await publishedAsset(author, {
      name: 'Private',
      visibility: 'PRIVATE',
      bodyMarkdown: 'Hush',
    })
    const own = await connectMcp(server.url, await makeToken(author))
    expect(await everyPrompt(own)).toContain(secret.slug)
    expect(await everyPrompt(client)).not.toContain(secret.slug)
    const unknown = await rpc('prompts/get', { name: 'no-such-prompt' })
    expect(unknown).toMatchObject({ status: 200, body: { id: 7, error: { code: -32_602 } } })
    expect(await rpc('prompts/get', { name: secret.slug })).toEqual(unknown)
    expect(await usage(secret.id)).toBe(0)

    const shareId = await shareAsset(server, author, secret.id, 'USER', reader.id)
    expect(await everyPrompt(client)).toContain(secret.slug)
    expect((await rpc('prompts/get', { name: secret.slug })).body.result.messages).toHaveLength(1)
    await author.call(removeShare, { params: { id: secret.id, shareId } })
    expect(await rpc('prompts/get', { name: secret.slug })).toEqual(unknown)
    await own.close()
  })

  test('reveals nothing of what the person may not read', async () => {
    const visibility = 'PRIVATE'
    const files = { 'notes.txt': 'Hush' }
    const skill = await publishedAsset(author, { type: 'SKILL', name: 'Hidden skill', visibility, files })
    const plugin = await publishedAsset(author, { type: 'PLUGIN', name: 'Hidden plugin', visibility, files })
    const prompt = await publishedAsset(author, {
      name: 'Hidden prompt',
      visibility,
      frontmatter: { arguments: [{ name: 'topic', required: true }] },
    })
    const own = await makeToken(author)
    for (const [method, { slug }, params] of [
      ['prompts/get', prompt, { name: 'SLUG' }],
      ['skills/get', skill, { uri: 'skill://SLUG/SKILL.md' }],
      ['resources/read', skill, { uri: 'skill://SLUG/SKILL.md' }],
      ['resources/read', skill, { uri: 'skill://SLUG/notes.txt' }],
      ['resources/read', plugin, { uri: 'patio://assets/SLUG' }],
      ['resources/read', plugin, { uri: 'patio://assets/SLUG/.claude-plugin/plugin.json' }],
      ['resources/read', plugin, { uri: 'patio://assets/SLUG/notes.txt' }],
    ] as const) {
      const about = (name: string) => JSON.parse(JSON.stringify(params).replace('SLUG', name))
      const hidden = await rpc(method, about(slug))
      const unknown = await rpc(method, about('no-such-thing'))
      expect(hidden.body.error.code).toBe(-32_602)
      expect(JSON.stringify(hidden).replaceAll(slug, 'no-such-thing')).toBe(JSON.stringify(unknown))
      // It exists for people who may read it
      expect((await rpc(method, about(slug), own)).body).not.toEqual(hidden.body)
    }
  })

  test('contains department assets for members only', async () => {
    const admin = await org.person({ role: 'ADMIN' })
    const inside = await org.person()
    const department = await makeUnit('DEPARTMENT', admin, [inside])
    const { slug } = await publishedAsset(author, {
      name: 'For sales',
      visibility: 'DEPARTMENT',
      departments: [department],
    })
    const foreign = await connectMcp(server.url, await makeToken(inside))
    expect(await everyPrompt(foreign)).toContain(slug)
    expect(await everyPrompt(client)).not.toContain(slug)
    await foreign.close()
  })

  test('contains no drafts and no archived or deleted assets', async () => {
    const draft = await makeAsset(author, { name: 'Draft', visibility: 'ORGANIZATION' })
    const [archived, deleted] = [await publishedAsset(author), await publishedAsset(author)]
    await author.call(archiveAsset, { params: { id: archived.id } })
    await author.call(removeAsset, { params: { id: deleted.id } })
    const uris = (await client.listResources()).resources.map(({ uri }) => uri)
    const unknown = await rpc('prompts/get', { name: 'no-such-prompt' })
    for (const { slug } of [draft, archived, deleted]) {
      expect(uris).not.toContain(`patio://assets/${slug}`)
      expect(await rpc('prompts/get', { name: slug })).toEqual(unknown)
    }

    const removed = await publishedAsset(author, { type: 'SKILL', name: 'Gone', files: { 'a.txt': 'a' } })
    const uri = `skill://${removed.slug}/a.txt`
    expect((await rpc('resources/read', { uri })).body.result.contents).toHaveLength(1)
    await author.call(removeAsset, { params: { id: removed.id } })
    expect((await rpc('resources/read', { uri })).body.error.code).toBe(-32_602)
  })

  test('returns the same error for assets of another organization as for unknown ones', async () => {
    const stranger = await (await server.organization()).person({ role: 'OWNER' })
    const foreign = await publishedAsset(stranger, { type: 'SKILL', name: 'Theirs alone' })
    const uri = `skill://${foreign.slug}/SKILL.md`
    for (const method of ['resources/read', 'skills/get']) {
      const [there, nowhere] = [
        await rpc(method, { uri }),
        await rpc(method, { uri: 'skill://nobodys/SKILL.md' }),
      ]
      expect(there.body.error.code).toBe(-32_602)
      expect(JSON.stringify(there).replaceAll(foreign.slug, 'nobodys')).toBe(JSON.stringify(nowhere))
    }
    expect(await usage(foreign.id).catch(() => 'unreadable')).toBe('unreadable')
    expect((await stranger.call(readAsset, { params: { id: foreign.id } })).usageCount).toBe(0)
  })

  test('finds assets by a former slug', async () => {
    const { id, slug } = await publishedAsset(author, { name: 'Old name', bodyMarkdown: 'Same' })
    await author.call(updateAsset, { params: { id }, body: { name: 'New name' } })
    expect(await everyPrompt(client)).toContain('new-name')
    expect(only((await client.getPrompt({ name: slug })).messages).content).toMatchObject({ text: 'Same' })
    expect((await client.readResource({ uri: `patio://assets/${slug}` })).contents[0]).toHaveProperty('text')
  })

  test('offers prompts and commands as prompts', async () => {
    const { slug } = await publishedAsset(author, { type: 'AGENT', name: 'An agent' })
    const command = await publishedAsset(author, {
      type: 'COMMAND',
      name: 'A command',
      bodyMarkdown: 'Move $1 to $0',
    })
    expect(await everyPrompt(client)).not.toContain(slug)
    expect((await rpc('prompts/get', { name: slug })).body.error.code).toBe(-32_602)
    const listed = findIn((await client.listPrompts()).prompts, ({ name }) => name === command.slug)
    expect(defined(listed.arguments).map(({ name }) => name)).toEqual(['argument0', 'argument1'])
    const got = await client.getPrompt({ name: command.slug, arguments: { argument0: 'x', argument1: '$0' } })
    expect(only(got.messages).content).toMatchObject({ text: 'Move $0 to x' })
  })

  test('requires required arguments', async () => {
    const { id, slug } = await publishedAsset(author, {
      name: 'Strict',
      bodyMarkdown: 'In {{ tone }}',
      frontmatter: { arguments: [{ name: 'tone', required: true, description: 'How' }] },
    })
    expect((await rpc('prompts/get', { name: slug, arguments: {} })).body.error).toMatchObject({
      code: -32_602,
      message: 'These arguments are required: tone.',
    })
    expect((await rpc('prompts/get', { name: slug, arguments: { tone: 7 } })).body.error.code).toBe(-32_602)
    expect(await usage(id)).toBe(0)
    expect(
      only((await rpc('prompts/get', { name: slug, arguments: { tone: 'blue' } })).body.result.messages)
        .content.text,
    ).toBe('In blue')
  })

  test('limits the size of a prompt with its arguments', async () => {
    const { slug } = await publishedAsset(author, {
      name: 'Echo',
      bodyMarkdown: '$ARGUMENTS '.repeat(20_000),
    })
    const response = await rpc('prompts/get', { name: slug, arguments: { arguments: 'x'.repeat(5_000) } })
    expect(response.body.error).toMatchObject({
      code: -32_602,
      message: 'The prompt is too long with these arguments.',
    })
  })
})

describe('a use', () => {
  test('is recorded for each fetched asset, with the person', async () => {
    const { id, slug } = await publishedAsset(author, { name: 'Counted', files: { 'notes.txt': 'n' } })
    await client.getPrompt({ name: slug })
    await client.readResource({ uri: `patio://assets/${slug}` })
    await client.readResource({ uri: `patio://assets/${slug}/counted.prompt.md` })
    expect(await usage(id)).toBe(3)
    const rows = await server.sql('select person_id, entity_type from asset_use where asset_id = $1', [id])
    expect(rows).toEqual(Array(3).fill({ person_id: reader.id, entity_type: null }))
    const events = (await emittedEvents(server, org.id, id)).filter(({ name }) => name === 'ai-asset.used')
    expect(events).toEqual(
      [1, 2, 3].map(usageCount => ({
        name: 'ai-asset.used',
        actor_id: reader.id,
        data: { assetId: id, usageCount },
      })),
    )
    const audit = await server.sql(
      'select operation, actor_id, auth from audit where subject = $1 and auth = $2',
      [id, 'personalToken'],
    )
    expect(audit).toEqual(
      Array(3).fill({ operation: 'POST /mcp', actor_id: reader.id, auth: 'personalToken' }),
    )

    // Other reads are not uses
    await client.readResource({ uri: `patio://assets/${slug}/notes.txt` })
    await client.listPrompts()
    await client.listResources()
    expect(await usage(id)).toBe(3)
  })
})

describe('files', () => {
  const picture = Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
      'base64',
    ),
  )

  test('of a skill are listed after it and read with their content type', async () => {
    const { slug } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'With files',
      bodyMarkdown: 'See references/a b.md',
      files: { 'references/a b.md': '# ä', 'assets/logo.png': picture, 'scripts/run.sh': '#!/bin/sh\n' },
    })
    const { resources } = await client.listResources()
    const from = resources.findIndex(({ uri }) => uri === `skill://${slug}/SKILL.md`)
    expect(resources.slice(from, from + 4).map(({ uri, size }) => [uri, size])).toEqual([
      [`skill://${slug}/SKILL.md`, undefined],
      [`skill://${slug}/assets/logo.png`, picture.length],
      [`skill://${slug}/references/a%20b.md`, 4],
      [`skill://${slug}/scripts/run.sh`, 10],
    ])
    const read = async (path: string) =>
      (await client.readResource({ uri: `skill://${slug}/${path}` })).contents[0]
    expect(await read('references/a%20b.md')).toMatchObject({ mimeType: 'text/markdown', text: '# ä' })
    expect(await read('scripts/run.sh')).toMatchObject({ text: '#!/bin/sh\n' })
    expect(await read('assets/logo.png')).toMatchObject({
      mimeType: 'image/png',
      blob: Buffer.from(picture).toString('base64'),
    })
    expect(await read('SKILL.md')).toMatchObject({ text: expect.stringContaining(`name: ${slug}\n`) })
  })

  test('of a plugin are its manifests, its text and its files', async () => {
    const { slug } = await publishedAsset(author, {
      type: 'PLUGIN',
      name: 'A plugin',
      bodyMarkdown: '# Read me',
      files: { 'commands/go.md': 'Go' },
    })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri).filter(uri => uri.includes(slug))).toEqual([
      `patio://assets/${slug}`,
      `patio://assets/${slug}/.claude-plugin/plugin.json`,
      `patio://assets/${slug}/commands/go.md`,
      `patio://assets/${slug}/plugin.json`,
    ])
    const [main] = (await client.readResource({ uri: `patio://assets/${slug}` })).contents
    expect(main).toMatchObject({ text: '# Read me' })
    const [manifest] = (await client.readResource({ uri: `patio://assets/${slug}/plugin.json` })).contents
    expect(JSON.parse((manifest as { text: string }).text)).toMatchObject({ name: slug, version: '1.0.0' })
  })

  test.each([
    'skill://with-files',
    'skill://with-files/',
    'skill://with-files/../with-files/SKILL.md',
    'skill://with-files/scripts%2Frun.sh%00',
    'skill://with-files/%zz',
    'skill://with-files/nothing.md',
    'patio://assets/with-files',
    'patio://assets/with-files/SKILL.md',
    'patio://assets/',
    'patio://assets/a-plugin/asset-studio.json',
    'file:///etc/passwd',
    'https://example.test/',
    'skill://WITH-FILES/SKILL.md',
    `skill://${'x'.repeat(65)}/SKILL.md`,
    '',
  ])('do not exist at %s', async uri => {
    expect((await rpc('resources/read', { uri })).body.error).toMatchObject({ code: -32_602, data: { uri } })
  })

  test('that are missing in the store return the usual error', async () => {
    const { slug, currentVersionId } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Lossy',
      files: { 'a.txt': `only here ${Math.random()}` },
    })
    const file = only(
      await server.sql<{ sha256: string }>('select sha256 from asset_file where version_id = $1', [
        currentVersionId,
      ]),
    )
    await server.api.services.files.remove(file.sha256)
    const { status, body } = await rpc('resources/read', { uri: `skill://${slug}/a.txt` })
    expect([status, body.errorCode]).toEqual([503, 'UNAVAILABLE'])
  })

  test('that are declared as text but are not are returned as bytes', async () => {
    const { slug } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Nearly text',
      files: { 'late.txt': Buffer.concat([Buffer.alloc(100_000, 'a'), Buffer.from([0xff])]) },
    })
    const uri = `skill://${slug}/late.txt`
    await server.sql(`update asset_file set content_type = 'text/plain' where path = 'late.txt'`)
    const [file] = (await client.readResource({ uri })).contents
    expect(Buffer.from((file as { blob: string }).blob, 'base64').at(-1)).toBe(0xff)
  })

  test('that are too large for a reply are rejected', async () => {
    const { slug, currentVersionId } = await publishedAsset(author, {
      type: 'SKILL',
      name: 'Heavy',
      files: { 'big.bin': 'x' },
    })
    await server.sql('update asset_file set size = 10485761 where version_id = $1', [currentVersionId])
    expect((await rpc('resources/read', { uri: `skill://${slug}/big.bin` })).body.error).toMatchObject({
      code: -32_602,
      message: expect.stringContaining('larger than 10485760 bytes'),
    })
  })
})

describe('pages', () => {
  let token: string
  beforeAll(async () => {
    const writer = await (await server.organization()).person()
    token = await makeToken(writer)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`data/${at}.txt`, `${at}`]))
    const names = Array.from({ length: 118 }, (_, at) => `Page ${String(at).padStart(3, '0')}`)
    for (const [at, name] of names.entries()) {
      await publishedAsset(writer, { name, ...(at < 3 && { files: many }) })
    }
  })

  /** All pages of a list, as texts that identify its items. */
  async function pagesOf(
    method: string,
    key: 'prompts' | 'resources',
    id: keyof Listed,
  ): Promise<string[][]> {
    const pages: string[][] = []
    for (let cursor: string | undefined; ; ) {
      const { result } = (await rpc(method, { cursor }, token)).body
      pages.push(result[key].map(item => item[id]))
      if (result.nextCursor === undefined) return pages
      cursor = result.nextCursor
    }
  }

  test('of prompts contain each one once, by name', async () => {
    const pages = await pagesOf('prompts/list', 'prompts', 'name')
    expect(pages.map(({ length }) => length)).toEqual([100, 18])
    expect(pages.flat()).toEqual([...pages.flat()].sort())
    expect(new Set(pages.flat()).size).toBe(118)
  })

  test('of resources have a maximum length, also within one asset', async () => {
    const pages = await pagesOf('resources/list', 'resources', 'uri')
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(100)
    expect(pages[0]).toHaveLength(100)
    expect(pages.flat()).toHaveLength(118 + 3 * 60)
    expect(new Set(pages.flat()).size).toBe(118 + 3 * 60)
    // A client that reads all pages gets the same
    const client = await connectMcp(server.url, token)
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual(pages.flat())
    await client.close()
  })

  test.each([
    '',
    'x',
    'MA',
    Buffer.from('999999.0').toString('base64url'),
    Buffer.from('-1.0').toString('base64url'),
  ])('do not exist at %s', async cursor => {
    for (const method of ['prompts/list', 'resources/list', 'skills/list'])
      expect((await rpc(method, { cursor })).body.error).toMatchObject({ code: -32_602 })
  })
})

describe('a message', () => {
  test('that is a notification gets no reply', async () => {
    const response = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([response.status, await response.text()]).toEqual([202, ''])
  })

  test.each([
    'tools/list',
    'tools/call',
    'subscriptions/listen',
    'resources/subscribe',
    'no/such',
    'toString',
  ])('with the method %s is unknown', async method => {
    expect((await rpc(method, {})).body).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32_601 } })
  })

  test.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 'VALIDATION_ERROR'],
    ['another protocol', { jsonrpc: '1.0', id: 1, method: 'ping' }, 'VALIDATION_ERROR'],
    ['no method', { jsonrpc: '2.0', id: 1 }, 'VALIDATION_ERROR'],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, 'VALIDATION_ERROR'],
    ['params in a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 'VALIDATION_ERROR'],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, 'VALIDATION_ERROR'],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, 'VALIDATION_ERROR'],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }, 'VALIDATION_ERROR'],
    ['a very long method', { jsonrpc: '2.0', id: 1, method: 'x'.repeat(101) }, 'VALIDATION_ERROR'],
    ['no JSON', '{', 'MALFORMED_BODY'],
    [
      'too much',
      { jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 'x'.repeat(1_100_000) } },
      'BODY_TOO_LARGE',
    ],
  ])('that is %s gets the usual error', async (_what, message, code) => {
    const response = await send(message)
    expect(response.status).toBe(code === 'BODY_TOO_LARGE' ? 413 : 400)
    expect(await response.json()).toMatchObject({ errorCode: code })
  })

  test('may have a string as its id, and a ping gets a reply', async () => {
    const response = await send({ jsonrpc: '2.0', id: 'a-1', method: 'ping' })
    expect(await response.json()).toEqual({ jsonrpc: '2.0', id: 'a-1', result: {} })
  })

  test('with headers that contradict it is rejected as the protocol requires', async () => {
    const modern = {
      jsonrpc: '2.0',
      id: 1,
      method: 'prompts/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'prompts/list' }
    expect((await send(modern, headers)).status).toBe(200)
    const wrong = await send(modern, { ...headers, 'mcp-method': 'prompts/get' })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: -32_020 } }])
    const future = await send(modern, { ...headers, 'mcp-protocol-version': '2099-01-01' })
    expect(future.status).toBe(400)
  })

  test('from a page of another site is rejected', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const response = await send(ping, { origin: 'https://evil.example' })
    expect([response.status, await response.json()]).toMatchObject([403, { errorCode: 'ORIGIN_NOT_ALLOWED' }])
    expect((await send(ping, { origin: 'null' })).status).toBe(403)
    expect((await send(ping, { origin: server.config.publicUrl })).status).toBe(200)
  })
})

test('opens no stream and ends no session', async () => {
  for (const method of ['GET', 'DELETE']) {
    const response = await fetch(`${server.url}/mcp`, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await response.json()).toEqual({
      statusCode: 405,
      error: 'Method Not Allowed',
      message: 'This URL does not support this method. See Allow.',
    })
  }
})

test('accepts the token as the password of any user', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  for (const user of ['patio', '', 'any one'])
    expect((await send(ping, basic(`${user}:${token}`))).status).toBe(200)
  for (const text of [token, `${token}:`, `:${token}x`, ':'])
    expect((await send(ping, basic(text))).status).toBe(401)
  const none = await send(ping, { authorization: '' })
  expect([none.status, none.headers.get('www-authenticate')]).toEqual([
    401,
    'Bearer realm="Patio", Basic realm="Patio", charset="UTF-8"',
  ])
})

test('from a person without the permission gets the usual error', async () => {
  const other = await org.person({ permissions: ['STUDIO_CREATE'] })
  const response = await server.client(await makeToken(other)).send(callMcp, {
    body: { jsonrpc: '2.0', id: 1, method: 'prompts/list' },
  })
  expect(response).toMatchObject({ status: 403, body: { errorCode: 'PERMISSION_DENIED' } })
})
