import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPersonalToken, revokePersonalToken } from '#contract/identity/personal-tokens.ts'
import { listAssets, updateAsset } from '#contract/studio/assets.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import { makeInstallAddress } from '#contract/studio/tools.ts'
import { hangsMs } from '#tests/support/crowd.ts'
import { firstOf } from '#tests/support/elements.ts'
import { connectMcp, publishedAsset } from '#tests/support/studio/tools.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'

const run = promisify(execFile)
const installer = fileURLToPath(import.meta.resolve('skills/bin/cli.mjs'))

let server: TestServer
let folder: string
let author: Person
let colleague: Person
let token: string
let tokenId: string
/** The last created address. */
let address: string
beforeAll(async () => {
  server = await startTestServer()
  folder = mkdtempSync(join(tmpdir(), 'patio-tools-'))
  const company = await server.organization({ name: 'Bakery' })
  author = await company.person()
  colleague = await company.person()
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs the installer of vercel-labs/skills as in a project. It sends no headers, so it needs an address. */
async function install(...more: string[]): Promise<string> {
  const env = { ...process.env, HOME: folder, DO_NOT_TRACK: '1', DISABLE_TELEMETRY: '1', NO_COLOR: '1' }
  const { url } = await server.client(token).call(makeInstallAddress)
  address = url.replace(server.config.publicUrl, server.url)
  const args = ['add', address, '--agent', 'claude-code', '--copy', '-y', ...more]
  const { stdout } = await run(process.execPath, [installer, ...args], { cwd: folder, env, timeout: hangsMs })
  return stdout
}
const installed = (path: string) => readFileSync(join(folder, '.claude/skills', path), 'utf8')

test('one person publishes, and another creates a token', async () => {
  await publishedAsset(author, {
    type: 'SKILL',
    name: 'Order flour',
    description: 'Orders flour. Use when the flour runs out.',
    bodyMarkdown: 'Run `scripts/order.sh`.\n',
    files: { 'scripts/order.sh': '#!/bin/sh\necho ordered\n', 'references/mills.md': '# Mills\n' },
  })
  await publishedAsset(author, {
    type: 'SKILL',
    name: 'Greet guests',
    description: 'Greets guests. Use at the door.',
    bodyMarkdown: 'Say hello.\n',
  })
  await publishedAsset(author, {
    name: 'Write a menu',
    bodyMarkdown: 'Write a menu for {{ day }}.',
    frontmatter: { arguments: [{ name: 'day', required: true }] },
  })
  const created = await colleague.call(createPersonalToken, { body: { name: 'My laptop' } })
  token = created.token
  tokenId = created.id
})

test('a current MCP client uses them', async () => {
  const client = await connectMcp(server.url, token)
  const prompts = await client.listPrompts()
  expect(prompts.prompts).toMatchObject([
    { name: 'write-a-menu', arguments: [{ name: 'day', required: true }] },
  ])
  const got = await client.getPrompt({ name: 'write-a-menu', arguments: { day: 'Monday' } })
  expect(got.messages).toEqual([
    { role: 'user', content: { type: 'text', text: 'Write a menu for Monday.' } },
  ])
  const skill = await client.readResource({ uri: 'skill://order-flour/references/mills.md' })
  expect(skill.contents).toMatchObject([{ text: '# Mills\n' }])
  await client.close()
})

test('a client of the earlier SDK uses them too', async () => {
  const client = new EarlierClient({ name: 'earlier', version: '1' })
  const requestInit = { headers: { Authorization: `Bearer ${token}` } }
  const transport = new EarlierTransport(new URL(`${server.url}/mcp`), { requestInit })
  // The types of the SDK conflict under exactOptionalPropertyTypes
  await client.connect(transport as Parameters<typeof client.connect>[0])
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['write-a-menu'])
  const uris = (await client.listResources()).resources.map(({ uri }) => uri)
  expect(uris).toEqual([
    'skill://greet-guests/SKILL.md',
    'skill://order-flour/SKILL.md',
    'skill://order-flour/references/mills.md',
    'skill://order-flour/scripts/order.sh',
    'patio://assets/write-a-menu',
  ])
  const { contents } = await client.readResource({ uri: 'skill://greet-guests/SKILL.md' })
  expect(contents).toMatchObject([
    { mimeType: 'text/markdown', text: expect.stringMatching(/Say hello\.\n$/) },
  ])
  await client.close()
})

test('the author sees the uses', async () => {
  const { items } = await author.call((await import('#contract/studio/assets.ts')).listAssets, {})
  expect(Object.fromEntries(items.map(({ slug, usageCount }) => [slug, usageCount]))).toEqual({
    'write-a-menu': 1,
    'greet-guests': 1,
    'order-flour': 0,
  })
})

test('the skills installer installs them', async () => {
  const output = await install()
  expect(output).toContain('order-flour')
  expect(installed('order-flour/SKILL.md')).toMatch(
    /^---\nname: order-flour\n.*\n---\n\nRun `scripts\/order\.sh`\.\n$/s,
  )
  expect(installed('order-flour/scripts/order.sh')).toBe('#!/bin/sh\necho ordered\n')
  expect(installed('order-flour/references/mills.md')).toBe('# Mills\n')
  expect(installed('greet-guests/SKILL.md')).toMatch(/Say hello\.\n$/)
})

test('a new published version reaches people who install again', async () => {
  const { items } = await author.call(listAssets, { query: { search: 'greet guests' } })
  const { id } = firstOf(items)
  await author.call(updateAsset, { params: { id }, body: { bodyMarkdown: 'Say good morning.\n' } })
  await install('--skill', 'greet-guests')
  expect(installed('greet-guests/SKILL.md')).toMatch(/Say hello\.\n$/)
  await author.call(publishAsset, { params: { id } })
  await install('--skill', 'greet-guests')
  expect(installed('greet-guests/SKILL.md')).toMatch(/Say good morning\.\n$/)
})

test('a revoked token no longer works', async () => {
  await colleague.call(revokePersonalToken, { params: { id: tokenId } })
  await expect(connectMcp(server.url, token)).rejects.toThrow()
  await expect(install()).rejects.toThrow('401')
  // Nor does an address that it created before
  const response = await fetch(`${address}/.well-known/agent-skills/index.json`)
  expect(response.status).toBe(401)
})
