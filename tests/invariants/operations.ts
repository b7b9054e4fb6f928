import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type Door, type Endpoint, pathAt } from '#contract/operation.ts'

/** The folder of the project. */
export const root = join(import.meta.dirname, '../..')

/** One exported const of the contract. */
export type Promised = { name: string; file: string; endpoint: Endpoint }
/** One way into an operation. `name` is that of its const, `route` its method and whole path. */
export type Operation = { name: string; door: Door; route: string; endpoint: Endpoint }

/** Every operation that contract/** exports, each by its own name. */
export async function promises(): Promise<Promised[]> {
  const files = globSync('contract/**/*.ts', { cwd: root }).sort()
  const found: Promised[] = []
  for (const file of files) {
    const exported = (await import(join(root, file))) as Record<string, unknown>
    for (const [name, endpoint] of Object.entries(exported)) {
      if (isEndpoint(endpoint)) found.push({ name, file, endpoint })
    }
  }
  return found
}

/** The same at each of its doors. */
export async function operations(): Promise<Operation[]> {
  return (await promises()).flatMap(({ name, endpoint }) =>
    (Object.keys(endpoint.doors) as Door[]).map(door => ({
      name,
      door,
      route: `${endpoint.method} ${pathAt(door, endpoint)}`,
      endpoint,
    })),
  )
}

function isEndpoint(value: unknown): value is Endpoint {
  if (typeof value !== 'object' || value === null) return false
  return ['method', 'path', 'area', 'doors', 'status', 'errors'].every(key => key in value)
}
