import { createHash } from 'node:crypto'
import { firstOf } from '#platform/required.ts'
import { readerOf } from '../../assets/asset.access.ts'
import { readYaml } from '../../packages/frontmatter/read-yaml.ts'
import { splitMarkdown } from '../../packages/frontmatter/split-markdown.ts'
import type { StoredFile } from '../../packages/package-files.ts'
import { cursorAt, parseCursor } from '../mcp/cursor.ts'
import type { McpContext } from '../mcp/mcp-context.ts'
import { refuseParams } from '../mcp/rpc-error.ts'
import { listPublishedIds } from '../published-assets.ts'
import { mainPath, parseUri, uriOf } from '../resources/resource.rules.ts'
import {
  filesOfVersions,
  type PublishedContentRow,
  publishedBySlug,
  publishedContents,
  type ToolFile,
} from '../tool.sql.ts'
import { toolFilesOf } from '../tool-package.ts'

/**
 * The skills extension of MCP (io.modelcontextprotocol/skills, SEP-2640): lists skills with their front matter and a digest
 * of each file. The files themselves are resources.
 */
export const skillsExtension = 'io.modelcontextprotocol/skills'

type Skill = {
  uri: string
  frontmatter: Record<string, unknown>
  resources: { uri: string; digest: string; size: number }[]
}

const skillsPerPage = 25
/** Clients need not support larger skills, so these are not listed. */
const clientLimits = { files: 512, bytes: 16_777_216 }

// No caching, because access can change at any moment
const cacheHints = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

/** skills/list, ordered by name. */
export async function listSkills({ db, caller }: McpContext, cursor: string | undefined) {
  const { assets: offset } = parseCursor(cursor)
  const page = { types: ['SKILL'], orderBy: 'name', limit: skillsPerPage + 1, offset } as const
  const ids = await listPublishedIds(db, caller, page)
  const rows = await publishedContents(db, ids.slice(0, skillsPerPage))
  const files = await filesOfVersions(
    db,
    rows.map(row => row.version_id),
  )
  return {
    ...cacheHints,
    skills: rows.flatMap(row => skillOf(row, files.get(row.version_id) ?? []) ?? []),
    ...(ids.length > skillsPerPage && cursorAt({ assets: offset + skillsPerPage, files: 0 })),
  }
}

/** skills/get. */
export async function getSkill({ db, caller }: McpContext, uri: string) {
  const target = parseUri(uri)
  const row = target?.isSkill ? await publishedBySlug(db, readerOf(caller), target.slug) : undefined
  const isThere = row?.type === 'SKILL' && row.slug === target?.slug && target.path === mainPath(row)
  const files = isThere ? await filesOfVersions(db, [row.version_id]) : undefined
  const skill = isThere && skillOf(row, files?.get(row.version_id) ?? [])
  return {
    ...cacheHints,
    skill: skill || refuseParams('This skill does not exist, or you may not see it.', { uri }),
  }
}

function skillOf(row: PublishedContentRow, files: readonly ToolFile[]): Skill | undefined {
  const all = toolFilesOf(row, files, 'agent-skills').map(({ path, content }) => ({
    path,
    ...measureContent(content),
  }))
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  const main = firstOf(toolFilesOf(row, [], 'agent-skills')).content as Buffer
  const split = splitMarkdown(main.toString('utf8'))
  if (all.length > clientLimits.files || bytes > clientLimits.bytes || typeof split === 'string')
    return undefined
  return {
    uri: uriOf(row, mainPath(row)),
    frontmatter: readYaml(split.yaml, '').value,
    resources: all.map(({ path, sha256, size }) => ({
      uri: uriOf(row, path),
      digest: `sha256:${sha256}`,
      size,
    })),
  }
}

function measureContent(content: Buffer | StoredFile): { sha256: string; size: number } {
  if (!Buffer.isBuffer(content)) return content
  return { sha256: createHash('sha256').update(content).digest('hex'), size: content.length }
}
