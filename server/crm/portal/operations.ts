import type { Served } from '#platform/serve.ts'
import { list, read, sign } from './budgets.ts'
import { open, request } from './sign-in.ts'

/** What contacts of clients do without being members. */
export const portalOperations: Served[] = [request, open, list, read, sign]
