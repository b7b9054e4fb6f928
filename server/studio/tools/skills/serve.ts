import { createHash } from 'node:crypto'
import { readerOf } from '../../assets/asset.access.ts'
import type { StoredFile } from '../../packages/contents.ts'
import { readYaml } from '../../packages/frontmatter/read.ts'
import { splitMarkdown } from '../../packages/frontmatter/split.ts'
import { refuseParams } from '../mcp/failure.ts'
import type { Given } from '../mcp/given.ts'
import { cursorAt, placeOf } from '../mcp/pages.ts'
import { offeredIds } from '../offered.ts'
import { toolFilesOf } from '../packaged.ts'
import { mainPath, readUri, uriOf } from '../resources/resource.rules.ts'
import {
  type ContentRow,
  contentBySlug,
  contentsOfPublished,
  filesOfVersions,
  type ToolFile,
} from '../tool.sql.ts'

/**
 * The skills extension of MCP (io.modelcontextprotocol/skills, SEP-2640): which skills there are, with their front
 * matter and a digest of each file. The files themselves are resources.
 */
export const skillsExtension = 'io.modelcontextprotocol/skills'

type Skill = {
  uri: string
  frontmatter: Record<string, unknown>
  resources: { uri: string; digest: string; size: number }[]
}

const skillsPerPage = 25
/** No client has to take more, so a skill beyond it is not told as one. */
const most = { files: 512, bytes: 16_777_216 }

// who may read what can change at any moment
const freshness = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }

/** skills/list, by name. */
export async function listSkills({ db, caller }: Given, cursor: string | undefined) {
  const { assets: offset } = placeOf(cursor)
  const page = { types: ['SKILL'], orderBy: 'name', limit: skillsPerPage + 1, offset } as const
  const ids = await offeredIds(db, caller, page)
  const rows = await contentsOfPublished(db, ids.slice(0, skillsPerPage))
  const files = await filesOfVersions(
    db,
    rows.map(row => row.version_id),
  )
  return {
    ...freshness,
    skills: rows.flatMap(row => skillOf(row, files.get(row.version_id) ?? []) ?? []),
    ...(ids.length > skillsPerPage && cursorAt({ assets: offset + skillsPerPage, files: 0 })),
  }
}

/** skills/get. */
export async function getSkill({ db, caller }: Given, uri: string) {
  const asked = readUri(uri)
  const row = asked?.isSkill ? await contentBySlug(db, readerOf(caller), asked.slug) : undefined
  const isThere = row?.type === 'SKILL' && row.slug === asked?.slug && asked.path === mainPath(row)
  const files = isThere ? await filesOfVersions(db, [row.version_id]) : undefined
  const skill = isThere && skillOf(row, files?.get(row.version_id) ?? [])
  return {
    ...freshness,
    skill: skill || refuseParams('There is no such skill, or you may not see it.', { uri }),
  }
}

function skillOf(row: ContentRow, files: readonly ToolFile[]): Skill | undefined {
  const all = toolFilesOf(row, files, 'agent-skills').map(({ path, content }) => ({
    path,
    ...measured(content),
  }))
  const bytes = all.reduce((sum, { size }) => sum + size, 0)
  const main = toolFilesOf(row, [], 'agent-skills')[0]!.content as Buffer
  const split = splitMarkdown(main.toString('utf8'))
  if (all.length > most.files || bytes > most.bytes || typeof split === 'string') return undefined
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

function measured(content: Buffer | StoredFile): { sha256: string; size: number } {
  if (!Buffer.isBuffer(content)) return content
  return { sha256: createHash('sha256').update(content).digest('hex'), size: content.length }
}
