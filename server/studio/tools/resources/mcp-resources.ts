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
import { textsOf } from '../../packages/package-files.ts'
import { cursorAt, parseCursor } from '../mcp/cursor.ts'
import { type McpContext, recordUse } from '../mcp/mcp-context.ts'
import { refuseParams } from '../mcp/rpc-error.ts'
import { listPublishedIds } from '../published-assets.ts'
import {
  filesOfVersions,
  type PublishedContentRow,
  type PublishedHeadRow,
  publishedBySlug,
  publishedHeads,
  type ToolFile,
} from '../tool.sql.ts'
import { packagedAssetOf } from '../tool-package.ts'
import { mainPath, parseUri, placedAttachments, textPaths, uriOf } from './resource.rules.ts'

/** Assets that one page reads: each may have a thousand attachments. */
const assetsPerPage = 25

/** MCP resources/list: published assets ordered by name, each followed by the other files of its package. */
export async function listResources(
  { db, caller }: McpContext,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const position = parseCursor(cursor)
  const page = {
    types: assetTypes,
    orderBy: 'name',
    limit: assetsPerPage + 1,
    offset: position.assets,
  } as const
  const ids = await listPublishedIds(db, caller, page)
  const pageIds = ids.slice(0, assetsPerPage)
  const heads = await publishedHeads(db, pageIds)
  const files = await filesOfVersions(
    db,
    heads.map(head => head.version_id),
  )
  const resources: Resource[] = []
  for (const head of heads) {
    const at = pageIds.indexOf(head.id)
    const all = resourcesOf(head, files.get(head.version_id) ?? [])
    const skipped = at === 0 ? position.files : 0
    const room = limits.toolPage - resources.length
    resources.push(...all.slice(skipped, skipped + room))
    if (all.length - skipped > room)
      return { resources, ...cursorAt({ assets: position.assets + at, files: skipped + room }) }
  }
  return {
    resources,
    ...(ids.length > assetsPerPage && cursorAt({ assets: position.assets + assetsPerPage, files: 0 })),
  }
}

/** The main file first, then the others ordered by path. */
function resourcesOf(head: PublishedHeadRow, files: readonly ToolFile[]): Resource[] {
  const main = mainPath(head)
  const described = head.description !== '' && { description: head.description }
  const others = textPaths(head)
    .filter(path => path !== main)
    .map(path => ({ uri: uriOf(head, path), name: `${head.slug}/${path}`, mimeType: textType(path) }))
  const attached = placedAttachments(head, files).map(({ file, packagePath }) => ({
    uri: uriOf(head, packagePath),
    name: `${head.slug}/${packagePath}`,
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

/** MCP resources/read: a file in the package of a published version. Reading the main file records a use. */
export async function readResource(context: McpContext, uri: string): Promise<ReadResourceResult> {
  const target = parseUri(uri)
  const row = target && (await publishedBySlug(context.db, readerOf(context.caller), target.slug))
  if (!row || target.isSkill !== (row.type === 'SKILL')) refuseUnknown(uri)
  const main = mainPath(row)
  const path = target.path ?? main
  const [text] = textsOf(packagedAssetOf(row), 'agent-skills').filter(file => file.path === path)
  if (!text) return { contents: [await readAttachment(context, row, path, uri)] }
  if (path === main && !(await recordUse(context, row.id))) refuseUnknown(uri)
  return { contents: [{ uri, mimeType: textType(path), text: text.text }] }
}

async function readAttachment(
  { db, services }: McpContext,
  row: PublishedContentRow,
  path: string,
  uri: string,
) {
  const files = (await filesOfVersions(db, [row.version_id])).get(row.version_id) ?? []
  const { file } =
    placedAttachments(row, files).find(({ packagePath }) => packagePath === path) ?? refuseUnknown(uri)
  if (file.size > limits.toolResourceBytes) {
    refuseParams(
      `The file is larger than ${limits.toolResourceBytes} bytes. Install or export the asset instead.`,
      {
        uri,
      },
    )
  }
  const bytes = await bytesOf(services, file)
  const contentFields = { uri, mimeType: file.content_type }
  return isTextual(file.content_type) && isUtf8(bytes)
    ? { ...contentFields, text: bytes.toString('utf8') }
    : { ...contentFields, blob: bytes.toString('base64') }
}

async function bytesOf({ files }: McpContext['services'], { sha256 }: ToolFile): Promise<Buffer> {
  return readWithin(files, sha256, limits.fileReadMs, buffer).catch(error => {
    if (!(error instanceof ObjectMissing)) throw error
    throw new StoreUnavailable('The content of an attachment is missing', { cause: error })
  })
}

function isTextual(type: string): boolean {
  return /^text\/|^application\/(?:json|jsonl|yaml|toml|xml|sql|x-sh)$|\+xml$/.test(type)
}

function refuseUnknown(uri: string): never {
  refuseParams('This resource does not exist, or you may not see it.', { uri })
}
