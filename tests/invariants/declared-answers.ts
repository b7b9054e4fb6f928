import { pathAt } from '#contract/operation.ts'
import { openApiDocument } from '#server/openapi.ts'
import { operationContracts } from '#server/operations.ts'
import { defined, lastOf } from '#tests/support/elements.ts'
import type { RawReply } from './ask.ts'
import type { OperationCase } from './operations.ts'

type Json = Record<string, unknown>
type Described = {
  requestBody?: { content: Record<string, { example?: unknown }> }
  responses: Record<string, Response>
}
type Response = { $ref?: string; headers?: Json; content?: Json }

const { paths, components } = openApiDocument(operationContracts, 'https://patio.example.org') as {
  paths: Record<string, Record<string, Described>>
  components: { responses: Record<string, Response>; headers: Json }
}

/** The JSON body that the document shows as an example of an operation. */
export function exampleOf({ auth, contract }: OperationCase): unknown {
  const path = pathAt(auth, contract).replace(/:(\w+)/g, '{$1}')
  return defined(defined(paths[path])[contract.method.toLowerCase()]).requestBody?.content['application/json']
    ?.example
}

/**
 * The parts of a reply that the document does not declare: its status, its media type, or a header for clients.
 */
export function undeclared({ auth, contract }: OperationCase, { status, headers }: RawReply): string[] {
  const path = pathAt(auth, contract).replace(/:(\w+)/g, '{$1}')
  const { responses } = defined(defined(paths[path])[contract.method.toLowerCase()])
  const declared = responses[status] ?? defined(responses.default)
  const response = declared.$ref ? defined(components.responses[lastOf(declared.$ref.split('/'))]) : declared
  const faults: string[] = []
  if (status < 400 && !responses[status]) faults.push(`the status ${status}`)
  const [type] = headers.get('content-type')?.split(';') ?? []
  const types = Object.keys(response.content ?? {})
  if (type && !types.includes(type) && !types.includes('*/*')) faults.push(`the media type ${type}`)
  const known = Object.keys(response.headers ?? {}).map(name => name.toLowerCase())
  const readable = [...Object.keys(components.headers), 'X-Service-Omitted']
  for (const name of readable)
    if (headers.has(name) && !known.includes(name.toLowerCase())) faults.push(`the header ${name}`)
  return faults
}
