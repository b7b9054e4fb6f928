import type { GetPromptResult, ListPromptsResult } from '@modelcontextprotocol/server'
import { limits } from '#contract/limits.ts'
import { readerOf } from '../../assets/asset.access.ts'
import { cursorAt, parseCursor } from '../mcp/cursor.ts'
import { type McpContext, recordUse } from '../mcp/mcp-context.ts'
import { refuseParams } from '../mcp/rpc-error.ts'
import { listPublishedIds } from '../published-assets.ts'
import { publishedBySlug, publishedPrompts } from '../tool.sql.ts'
import { argumentsOf, fillPrompt, missingArguments, placeholdersIn } from './prompt.rules.ts'

const types = ['PROMPT', 'COMMAND'] as const

/** MCP prompts/list: published prompts and commands, ordered by name. */
export async function listPrompts(
  { db, caller }: McpContext,
  cursor: string | undefined,
): Promise<ListPromptsResult> {
  const { assets: offset } = parseCursor(cursor)
  const limit = limits.toolPage
  const ids = await listPublishedIds(db, caller, { types, orderBy: 'name', limit: limit + 1, offset })
  const rows = await publishedPrompts(db, ids.slice(0, limit))
  return {
    prompts: rows.map(({ slug, name, description, type, frontmatter, placeholders }) => ({
      name: slug,
      title: name,
      ...(description !== '' && { description }),
      arguments: argumentsOf(type, frontmatter, placeholders),
    })),
    ...(ids.length > limit && cursorAt({ assets: offset + limit, files: 0 })),
  }
}

/** MCP prompts/get: the published body with its arguments filled in, as a user message. Records a use. */
export async function getPrompt(
  context: McpContext,
  { name, arguments: values = {} }: { name: string; arguments?: Record<string, string> },
): Promise<GetPromptResult> {
  const { db, caller } = context
  const row = await publishedBySlug(db, readerOf(caller), name)
  if (!row || !types.some(type => type === row.type))
    refuseParams('This prompt does not exist, or you may not see it.')
  const known = argumentsOf(row.type, row.frontmatter, placeholdersIn(row.body_markdown))
  const missing = missingArguments(known, values)
  if (missing.length > 0) refuseParams(`These arguments are required: ${missing.join(', ')}.`)
  const text =
    fillPrompt(row.body_markdown, known, values) ??
    refuseParams('The prompt is too long with these arguments.')
  if (!(await recordUse(context, row.id))) refuseParams('This prompt does not exist, or you may not see it.')
  return {
    ...(row.description !== '' && { description: row.description }),
    messages: [{ role: 'user', content: { type: 'text', text } }],
  }
}
