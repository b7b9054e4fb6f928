import type { ServedOperation } from '#platform/http/operation.ts'
import { request } from './request.ts'
import { list, replace, stop } from './signature-requests.ts'

/** The operations on budgets that several people sign. */
export const signatureRequestOperations: ServedOperation[] = [request, list, replace, stop]
