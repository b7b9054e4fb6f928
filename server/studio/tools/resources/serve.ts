import { isUtf8 } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
} from '@modelcontextprotocol/server'
import { limits } from '#contract/limits.ts'
import { assetTypes } from '#contract/studio/assets.ts'
import { ObjectMissing, readWithin, StoreUnavailable } from '#platform/adapters/files.ts'
import { readerOf } from '../../assets/asset.access.ts'
import { textsOf } from '../../packages/contents.ts'
import { refuseParams } from '../mcp/failure.ts'
import { type Given, recordUse } from '../mcp/given.ts'
import { cursorAt, type Place, placeOf } from '../mcp/pages.ts'
import { offeredIds } from '../offered.ts'
import { packagedOf } from '../packaged.ts'
import {
  type ContentRow,
  contentBySlug,
  filesOfVersions,
  type HeadRow,
  headsOf,
  type ToolFile,
} from '../tool.sql.ts'
import { mainPath, placed, readUri, textPaths, uriOf } from './resource.rules.ts'

/** So many assets are looked at for one page: each of them may have a thousand attachments. */
const assetsPerPage = 25

/** MCP resources/list: every published asset by name, each followed by the other files of its package. */
export async function listResources(
  { db, caller }: Given,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const place = placeOf(cursor)
  const page = { types: assetTypes, orderBy: 'name', limit: assetsPerPage + 1, offset: place.assets } as const
  const ids = await offeredIds(db, caller, page)
  const here = ids.slice(0, assetsPerPage)
  const heads = await headsOf(db, here)
  const files = await filesOfVersions(
    db,
    heads.map(head => head.version_id),
  )
  const resources: Resource[] = []
  for (const head of heads) {
    const at = here.indexOf(head.id)
    const all = resourcesOf(head, files.get(head.version_id) ?? [])
    const skipped = at === 0 ? place.files : 0
    const room = limits.toolPage - resources.length
    resources.push(...all.slice(skipped, skipped + room))
    if (all.length - skipped > room)
      return { resources, ...next({ assets: place.assets + at, files: skipped + room }) }
  }
  return {
    resources,
    ...(ids.length > assetsPerPage && next({ assets: place.assets + assetsPerPage, files: 0 })),
  }

  function next(to: Place) {
    return cursorAt(to)
  }
}

/** The file that matters most first, then the others by path. */
function resourcesOf(head: HeadRow, files: readonly ToolFile[]): Resource[] {
  const main = mainPath(head)
  const described = head.description !== '' && { description: head.description }
  const others = textPaths(head)
    .filter(path => path !== main)
    .map(path => ({ uri: uriOf(head, path), name: `${head.slug}/${path}`, mimeType: textType(path) }))
  const attached = placed(head, files).map(({ file, at }) => ({
    uri: uriOf(head, at),
    name: `${head.slug}/${at}`,
    mimeType: file.content_type,
    size: file.size,
  }))
  return [
    { uri: uriOf(head, main), name: head.slug, title: head.name, ...described, mimeType: textType(main) },
    ...[...others, ...attached].sort((a, b) => (a.name < b.name ? -1 : 1)),
  ]
}

function textType(path: string): string {
  return path.endsWith('.json') ? 'application/json' : 'text/markdown'
}

/** MCP resources/templates/list. */
export function listTemplates(): ListResourceTemplatesResult {
  return {
    resourceTemplates: [
      { uriTemplate: 'skill://{slug}/{+path}', name: 'skill-file', title: 'A file of a skill' },
      { uriTemplate: 'patio://assets/{slug}', name: 'asset', title: 'A prompt, agent, command or plugin' },
      { uriTemplate: 'patio://assets/{slug}/{+path}', name: 'asset-file', title: 'A file of its package' },
    ],
  }
}

/** MCP resources/read: a file of the package of what was published. The one that matters most records a use. */
export async function readResource(given: Given, uri: string): Promise<ReadResourceResult> {
  const asked = readUri(uri)
  const row = asked && (await contentBySlug(given.db, readerOf(given.caller), asked.slug))
  if (!row || asked.isSkill !== (row.type === 'SKILL')) refuseUnknown(uri)
  const main = mainPath(row)
  const path = asked.path ?? main
  const [text] = textsOf(packagedOf(row), 'agent-skills').filter(file => file.path === path)
  if (!text) return { contents: [await readAttachment(given, row, path, uri)] }
  if (path === main && !(await recordUse(given, row.id))) refuseUnknown(uri)
  return { contents: [{ uri, mimeType: textType(path), text: text.text }] }
}

async function readAttachment({ db, services }: Given, row: ContentRow, path: string, uri: string) {
  const files = (await filesOfVersions(db, [row.version_id])).get(row.version_id) ?? []
  const { file } = placed(row, files).find(({ at }) => at === path) ?? refuseUnknown(uri)
  if (file.size > limits.toolResourceBytes) {
    refuseParams(`The file is larger than ${limits.toolResourceBytes} bytes: install or export the asset.`, {
      uri,
    })
  }
  const bytes = await bytesOf(services, file)
  const kind = { uri, mimeType: file.content_type }
  return isTextual(file.content_type) && isUtf8(bytes)
    ? { ...kind, text: bytes.toString('utf8') }
    : { ...kind, blob: bytes.toString('base64') }
}

async function bytesOf({ files }: Given['services'], { sha256 }: ToolFile): Promise<Buffer> {
  return readWithin(files, sha256, limits.fileReadMs, buffer).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable('An attachment is not there', { cause: error })
  })
}

function isTextual(type: string): boolean {
  return /^text\/|^application\/(?:json|jsonl|yaml|toml|xml|sql|x-sh)$|\+xml$/.test(type)
}

function refuseUnknown(uri: string): never {
  refuseParams('There is no such resource, or you may not see it.', { uri })
}
