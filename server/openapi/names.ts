import type { TSchema } from 'typebox'
import { ErrorBody, ErrorCode } from '#contract/error-body.ts'
import { contractModules } from '#contract/modules.ts'
import type { AuthKind, Operation } from '#contract/operation.ts'

// one operation with two kinds of credentials is two operations in the document
const prefixes: Partial<Record<AuthKind, string>> = {
  apiKey: 'external',
  personalToken: 'tool',
  personalTokenInUrl: 'byAddress',
}

/**
 * The operationId of each operation: the name of its const, with a prefix for the credentials of programs.
 */
export function operationIds(): (auth: AuthKind, contract: Operation) => string {
  const names = new Map<unknown, string>()
  for (const module of contractModules) {
    for (const [name, value] of Object.entries(module)) names.set(value, name)
  }
  return (auth, contract) => {
    const name = names.get(contract)
    if (!name) throw new Error(`${contract.method} ${contract.path}: add its module to contract/modules.ts`)
    const prefix = prefixes[auth]
    return prefix ? `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}` : name
  }
}

/** The schemas of the contract by the names of their consts. Two schemas with one name are a mistake. */
export function namedSchemas(): Map<string, TSchema> {
  const named = new Map<string, TSchema>([
    ['ErrorBody', ErrorBody],
    ['ErrorCode', ErrorCode],
  ])
  for (const [name, value] of contractModules.flatMap(Object.entries)) {
    if (!/^[A-Z]/.test(name) || typeof value !== 'object' || !('type' in value)) continue
    if (named.has(name) && named.get(name) !== value)
      throw new Error(`Two schemas of the contract have the name ${name}`)
    named.set(name, value)
  }
  return named
}
