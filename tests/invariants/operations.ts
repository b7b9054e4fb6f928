import { globSync } from 'node:fs'
import { join } from 'node:path'
import { type AuthKind, type Operation, pathAt } from '#contract/operation.ts'

/** The folder of the project. */
export const root = join(import.meta.dirname, '../..')

/** One exported const of the contract. */
export type ContractConst = { name: string; file: string; contract: Operation }
/** One route of an operation. `name` is that of its const, `route` its method and full path. */
export type OperationCase = { name: string; auth: AuthKind; route: string; contract: Operation }

/** Every operation that contract/** exports, by name. */
export async function contractConsts(): Promise<ContractConst[]> {
  // a test file declares its tests when it is loaded
  const files = globSync('contract/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] }).sort()
  const found: ContractConst[] = []
  for (const file of files) {
    const exported = (await import(join(root, file))) as Record<string, unknown>
    for (const [name, contract] of Object.entries(exported)) {
      if (isEndpoint(contract)) found.push({ name, file, contract })
    }
  }
  return found
}

/** The same for each kind of caller. */
export async function operationCases(): Promise<OperationCase[]> {
  return (await contractConsts()).flatMap(({ name, contract }) =>
    (Object.keys(contract.auth) as AuthKind[]).map(auth => ({
      name,
      auth,
      route: `${contract.method} ${pathAt(auth, contract)}`,
      contract,
    })),
  )
}

function isEndpoint(value: unknown): value is Operation {
  if (typeof value !== 'object' || value === null) return false
  return ['method', 'path', 'area', 'auth', 'status', 'errors'].every(key => key in value)
}
