import type { Auth, Operation } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import type { Fields } from '../build/contract-as-data.ts'

/** An operation as the build hands it to the browser: no schemas, but the bounds of its fields. */
export type OperationData = {
  readonly auth: Auth
  readonly module?: Operation['module']
  readonly alsoModule?: Operation['alsoModule']
  readonly capability?: Operation['capability']
  readonly feature?: Operation['feature']
  readonly fields: Fields
}

/** The data of an operation, which the static types of the contract do not show. */
export function dataOf<In, Out>(operation: Route<In, Out>): OperationData {
  return operation as unknown as OperationData
}
