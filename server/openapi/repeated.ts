import type { Json } from './components.ts'

type Parts = Record<string, Json>

/**
 * Puts answers and parameters that stand several times into the components, and references in their place: a third of
 * the document otherwise.
 */
export function shareRepeated(paths: Record<string, Json>): { responses: Parts; parameters: Parts } {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods)) as Json[]
  const responses = openShare('responses', answerName)
  const parameters = openShare('parameters', parameterName)
  for (const operation of operations) {
    for (const response of Object.values(operation.responses as Parts)) responses.count(response)
    for (const parameter of (operation.parameters ?? []) as Json[]) parameters.count(parameter)
  }
  for (const operation of operations) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses as Parts).map(([status, one]) => [status, responses.share(one)]),
    )
    if (operation.parameters) operation.parameters = (operation.parameters as Json[]).map(parameters.share)
  }
  return { responses: responses.shared(), parameters: parameters.shared() }
}

function openShare(kind: string, nameOf: (part: Json) => string | undefined) {
  const counts = new Map<string, number>()
  const names = new Map<string, string>()
  const shared: Parts = {}
  return {
    count(part: Json): void {
      const text = JSON.stringify(part)
      counts.set(text, (counts.get(text) ?? 0) + 1)
    },
    share(part: Json): Json {
      const text = JSON.stringify(part)
      if (part.$ref || counts.get(text)! < 2) return part
      let name = names.get(text)
      if (!name) {
        name = nameOf(part)
        // of several that would have one name the first has it
        if (!name || name in shared) return part
        names.set(text, name)
        shared[name] = part
      }
      return { $ref: `#/components/${kind}/${name}` }
    },
    shared: () => Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

function parameterName({ name, in: where }: Json): string {
  return `${name}${where === 'path' ? 'InPath' : 'InQuery'}`
}

/** An answer is called by what is in it. */
function answerName({ content, description, headers }: Json): string | undefined {
  const isGoverned = 'RateLimit' in (headers as Json)
  const after = isGoverned ? '' : 'Ungoverned'
  if (!content) {
    const [name] = String(description).split(' ')
    return `${'ETag' in (headers as Json) ? 'NotModified' : name === 'Success' ? 'Done' : name}${after}`
  }
  const [[type, { schema }]] = Object.entries(content as Record<string, { schema: Json }>) as [
    [string, { schema: Json }],
  ]
  if (type !== 'application/json')
    return `${type.replace(/\W+(\w)/g, (_, letter) => letter.toUpperCase())}${after}`
  const one = nameOfSchema(schema)
  if (one) return `${one}${'ETag' in (headers as Json) ? 'WithETag' : ''}${after}`
  const { properties = {} } = schema as { properties?: Record<string, Json> }
  const list = (properties.items ?? properties.data) as { items?: Json } | undefined
  const item = list?.items && nameOfSchema(list.items)
  return item && `${item}List${after}`
}

function nameOfSchema({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}
