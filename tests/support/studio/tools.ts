import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { uploadFiles } from '#contract/studio/files.ts'
import { publishAsset } from '#contract/studio/lifecycle.ts'
import type { Person } from '../test-server.ts'
import { makeAsset } from './assets.ts'

type PublishedAssetInput = Parameters<typeof makeAsset>[1] & {
  files?: Record<string, string | Uint8Array<ArrayBuffer>>
}

/** Creates and publishes an asset that the whole organization may read, with defaults for omitted fields. */
export async function publishedAsset(person: Person, { files = {}, ...input }: PublishedAssetInput = {}) {
  const created = await makeAsset(person, { visibility: 'ORGANIZATION', description: 'Of a test', ...input })
  await attach(person, created.id, files)
  await person.call(publishAsset, { params: { id: created.id } })
  return created
}

/** Attaches files to the active version of an asset. */
export async function attach(
  person: Person,
  id: string,
  files: Record<string, string | Uint8Array<ArrayBuffer>>,
) {
  if (Object.keys(files).length === 0) return
  const form = new FormData()
  for (const [path, content] of Object.entries(files)) {
    form.append('path', path)
    form.append('file', new Blob([content]), path.split('/').at(-1))
  }
  await person.call(uploadFiles, { params: { id, version: 'current' }, form })
}

type Era = 'modern' | 'legacy'

/** The MCP client of the official SDK, connected with a token. */
export async function connectMcp(url: string, token: string, era: Era = 'modern'): Promise<Client> {
  const mode = era === 'modern' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = new Client({ name: 'patio-test', version: '1' }, { versionNegotiation: { mode } })
  const headers = { Authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  return client
}
