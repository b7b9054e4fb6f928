import type { ServedOperation } from '#platform/http/operation.ts'
import * as operators from './operators.ts'
import * as organizations from './organizations.ts'
import * as people from './people.ts'

/** The operations for operators of this server: `/api/operator`. */
export const operatorRoutes: ServedOperation[] = [
  organizations.list,
  organizations.open,
  organizations.get,
  organizations.update,
  organizations.owner,
  operators.list,
  operators.add,
  operators.remove,
  people.find,
  people.lock,
  people.unlock,
]
