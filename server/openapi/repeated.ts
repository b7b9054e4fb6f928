import type { Json } from './components.ts'

type Parts = Record<string, Json>

/**
 * Moves repeated responses and parameters into the components, and refers to them: without this, the document
 * would be half as large again. `taken` are the names that they must not use.
 */
export function shareRepeated(
  paths: Record<string, Json>,
  taken: { responses: readonly string[]; parameters: readonly string[] },
): { responses: Parts; parameters: Parts } {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods)) as Json[]
  const responses = openShare('responses', taken.responses)
  const parameters = openShare('parameters', taken.parameters)
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses as Parts))
      responses.count(response, () => responseNames(status, response))
    for (const parameter of (operation.parameters ?? []) as Json[])
      parameters.count(parameter, () => parameterNames(parameter))
  }
  const response = responses.share()
  const parameter = parameters.share()
  for (const operation of operations) {
    operation.responses = Object.fromEntries(
      Object.entries(operation.responses as Parts).map(([status, one]) => [status, response.refer(one)]),
    )
    if (operation.parameters) operation.parameters = (operation.parameters as Json[]).map(parameter.refer)
  }
  return { responses: response.shared, parameters: parameter.shared }
}

/** Counts equal parts, then names those that occur more than once, the most frequent first. */
function openShare(kind: string, taken: readonly string[]) {
  const found = new Map<string, { part: Json; times: number; names: readonly string[] }>()
  return {
    count(part: Json, namesOf: () => readonly string[]): void {
      if (part.$ref) return
      const text = JSON.stringify(part)
      const known = found.get(text)
      if (known) known.times += 1
      else found.set(text, { part, times: 1, names: namesOf() })
    },
    share() {
      const used = new Set(taken)
      const named = new Map<string, string>()
      const shared: [string, Json][] = []
      for (const [text, { part, times, names }] of [...found].sort(([, a], [, b]) => b.times - a.times)) {
        const name = names.find(one => !used.has(one))
        if (times < 2 || !name) continue
        used.add(name)
        named.set(text, name)
        shared.push([name, part])
      }
      return {
        shared: Object.fromEntries(shared.sort(([a], [b]) => (a < b ? -1 : 1))),
        refer(part: Json): Json {
          const name = named.get(JSON.stringify(part))
          return name ? { $ref: `#/components/${kind}/${name}` } : part
        },
      }
    },
  }
}

/** The candidate names of a parameter, best first. */
function parameterNames({ name, in: where, schema }: Json): string[] {
  const own = capitalized(String(name))
  const place = capitalized(String(where))
  const type = nameOfSchema(schema as Json)
  return [own, `${place}${own}`, ...(type ? [`${place}${type}`] : [])]
}

/** The candidate names of a response: by its content, then by what distinguishes it. */
function responseNames(status: string, { content, description, headers }: Json): string[] {
  const name = content
    ? nameOfContent(content as Record<string, { schema: Json }>)
    : (namesOfStatus[status] ?? String(description).split(' ')[0]!)
  if (!name) return []
  const carried = headers as Json
  return [
    name,
    ...(Object.values(carried).some(header => (header as Json).$ref === omitted) ? [`Partial${name}`] : []),
    ...('RateLimit' in carried ? [] : [`Unlimited${name}`]),
    ...('ETag' in carried ? [`Tagged${name}`] : []),
  ]
}
const namesOfStatus: Record<string, string> = { 204: 'NoContent', 304: 'NotModified' }
const omitted = '#/components/headers/Omitted'

const namesOfTypes: Record<string, string> = {
  'application/pdf': 'PdfFile',
  'application/zip': 'ZipFile',
  'text/csv': 'CsvFile',
  'text/event-stream': 'EventStream',
  'text/html': 'HtmlPage',
  '*/*': 'File',
}

function nameOfContent(content: Record<string, { schema: Json }>): string | undefined {
  const [[type, { schema }], ...others] = Object.entries(content) as [
    [string, { schema: Json }],
    ...[string, unknown][],
  ]
  if (type !== 'application/json') return namesOfTypes[type]
  const { properties = {} } = schema as { properties?: Record<string, Json> }
  const list = properties.items as { items?: Json } | undefined
  const item = list?.items && nameOfSchema(list.items)
  const name = nameOfSchema(schema) ?? (item && `${item}List`)
  return name && others.length > 0 ? `${name}Page` : name
}

function nameOfSchema({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
