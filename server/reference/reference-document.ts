import type { Json } from '../openapi/components.ts'

type Response = { $ref?: string; description?: string }
type Operation = { tags: string[]; summary: string; responses: Record<string, Response> }
type PathItems = Record<string, Record<string, Operation>>
type Entry = { tag: string; webhook?: string; path?: string; method: string; title: string; ref: string }

/**
 * The OpenAPI document as Scalar's own server prepares it: with the navigation, and with the marks that its
 * validator expects. This saves Scalar a third of its work (decision 0026). The form is internal to Scalar,
 * so run the test of the page with each new version.
 */
export function referenceDocument(document: Json): Json {
  const prepared = structuredClone(document)
  moveCommonResponses(prepared)
  markSchemas(prepared)
  return { ...prepared, 'x-scalar-navigation': navigationOf(prepared) }
}

/**
 * Describes a response that most operations share once, in the introduction, instead of at every operation,
 * because each response takes time to render.
 */
function moveCommonResponses(document: Json): void {
  const { info, paths, components } = document as {
    info: { description: string }
    paths: PathItems
    components: { responses: Record<string, { description: string }> }
  }
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  const uses = new Map<string, { count: number; status: string; name: string }>()
  for (const { responses } of operations)
    for (const [status, { $ref, description }] of Object.entries(responses)) {
      // a response with its own description is never shared
      if ($ref === undefined || description !== undefined) continue
      const use = uses.get(status + $ref) ?? { count: 0, status, name: $ref.split('/').at(-1)! }
      use.count += 1
      uses.set(status + $ref, use)
    }
  const common = [...uses].filter(([, { count }]) => count > operations.length / 2)
  const sections = common
    .map(([, { status, name }]) => ({ status, description: components.responses[name]!.description }))
    .sort((a, b) => (a.status < b.status ? -1 : 1))
    .map(
      ({ status, description }) =>
        `**${status === 'default' ? 'Any other status (the default response)' : status}**\n\n${listOf(description)}`,
    )
  const keys = new Set(common.map(([key]) => key))
  for (const { responses } of operations)
    for (const [status, { $ref, description }] of Object.entries(responses))
      if (description === undefined && keys.has(status + $ref)) delete responses[status]
  const text = 'These apply to all operations and are not repeated below. The body is `ErrorBody`.'
  info.description += `\n\n## ${commonErrors.title}\n\n${text}\n\n${sections.join('\n\n')}`
}

/**
 * The section of the introduction about common responses. Scalar derives the end of its id from the title.
 */
const commonErrors = { title: 'Errors of every operation', slug: 'errors-of-every-operation' }

/** The paragraphs of a description, each about one error code. */
function listOf(description: string): string {
  const paragraphs = description.split('\n\n')
  return paragraphs.length === 1 ? description : paragraphs.map(paragraph => `- ${paragraph}`).join('\n')
}

/** The side bar: the introduction, then each tag with its operations and webhooks. */
function navigationOf(document: Json): Json {
  const { info, tags, paths, webhooks } = document as {
    info: { title: string }
    tags: { name: string; description?: string }[]
    paths: PathItems
    webhooks: PathItems
  }
  const entries = [
    ...entriesOf(paths, (path, method) => ({ path, ref: `#/paths/${escaped(path)}/${method}` })),
    ...entriesOf(webhooks, (webhook, method) => ({ webhook, ref: `#/webhooks/${webhook}/${method}` })),
  ]
  const introduction = { id: `${documentId}/description/introduction`, type: 'text', title: 'Introduction' }
  const errors = {
    id: `${documentId}/description/${commonErrors.slug}`,
    type: 'text',
    title: commonErrors.title,
  }
  const groups = tags.map(({ name, description }) => ({
    id: `${documentId}/tag/${name}`,
    type: 'tag',
    name,
    title: name,
    description,
    isGroup: false,
    isWebhooks: false,
    children: entries.filter(({ tag }) => tag === name).map(navigationEntry),
  }))
  return {
    id: documentId,
    type: 'document',
    name: documentId,
    title: info.title,
    children: [introduction, errors, ...groups],
  }
}

/** Scalar's name of the document, the prefix of every id. */
export const documentId = 'patio'

function entriesOf(
  items: PathItems,
  place: (name: string, method: string) => Pick<Entry, 'path' | 'webhook' | 'ref'>,
): Entry[] {
  return Object.entries(items).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, { tags, summary }]) => ({
      ...place(name, method),
      tag: tags[0] ?? '',
      method,
      title: summary,
    })),
  )
}

function navigationEntry({ tag, webhook, path, method, title, ref }: Entry): Json {
  const common = { title, method, ref, isDeprecated: false }
  const id = `${documentId}/tag/${tag}`
  if (path !== undefined)
    return { ...common, type: 'operation', path, id: `${id}/${method.toUpperCase()}${path}` }
  const slug = webhook!.toLowerCase().replaceAll('_', '-')
  return { ...common, type: 'webhook', name: webhook, id: `${id}/webhook/${method.toUpperCase()}/${slug}` }
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Finds the schemas below a node that is not a schema. */
function markSchemas(node: unknown, key = ''): void {
  if (typeof node !== 'object' || node === null || key === 'example' || key === 'examples') return
  for (const [name, inner] of Object.entries(node)) {
    if (key === 'schemas' || name === 'schema') markSchema(inner)
    else markSchemas(inner, name)
  }
}

/** Scalar's validator recognizes a schema by its type, or by a mark if there is none. */
function markSchema(schema: Json): void {
  if (schema.$ref !== undefined) {
    if (Object.keys(schema).length > 1 && schema.type === undefined) schema.type = 'string'
    return
  }
  if (schema.type === undefined) schema.__scalar_ = ''
  const { properties = {}, items, anyOf = [], additionalProperties } = schema as Record<string, object>
  for (const inner of [...Object.values(properties), items, ...Object.values(anyOf), additionalProperties])
    if (typeof inner === 'object') markSchema(inner as Json)
}
