import type { Json } from '../openapi/components.ts'

type Operation = { tags: string[]; summary: string }
type Entry = { tag: string; webhook?: string; path?: string; method: string; title: string; ref: string }

/**
 * The OpenAPI document in the form in which Scalar's own server hands it over: with the navigation in it and with the
 * marks that its validator expects. Scalar then leaves out a third of its work (decision 0026). The form is internal to
 * Scalar, so a new version of it needs a look at the test of the page.
 */
export function referenceDocument(document: Json): Json {
  const marked = structuredClone(document)
  markSchemas(marked)
  return { ...marked, 'x-scalar-navigation': navigationOf(marked) }
}

/** The side bar: the introduction, then each tag with its operations and webhooks. */
function navigationOf(document: Json): Json {
  const { info, tags, paths, webhooks } = document as {
    info: { title: string }
    tags: { name: string; description?: string }[]
    paths: Record<string, Record<string, Operation>>
    webhooks: Record<string, Record<string, Operation>>
  }
  const entries = [
    ...entriesOf(paths, (path, method) => ({ path, ref: `#/paths/${escaped(path)}/${method}` })),
    ...entriesOf(webhooks, (webhook, method) => ({ webhook, ref: `#/webhooks/${webhook}/${method}` })),
  ]
  const introduction = { id: `${documentId}/description/introduction`, type: 'text', title: 'Introduction' }
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
    children: [introduction, ...groups],
  }
}

/** How Scalar calls the document, which is the beginning of every id. */
export const documentId = 'patio'

function entriesOf(
  items: Record<string, Record<string, Operation>>,
  place: (name: string, method: string) => Pick<Entry, 'path' | 'webhook' | 'ref'>,
): Entry[] {
  return Object.entries(items).flatMap(([name, methods]) =>
    Object.entries(methods).map(([method, { tags, summary }]) => ({
      ...place(name, method),
      tag: tags[0]!,
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

/** Finds the schemas below a node that is not a schema itself. */
function markSchemas(node: unknown, key = ''): void {
  if (typeof node !== 'object' || node === null || key === 'example' || key === 'examples') return
  for (const [name, inner] of Object.entries(node)) {
    if (key === 'schemas' || name === 'schema') markSchema(inner)
    else markSchemas(inner, name)
  }
}

/** Scalar's validator knows a schema by its type, or by a mark where there is none. */
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
