import type { ServedOperation } from '#platform/http/operation.ts'
import { list as ledger } from '../ledger/list.ts'
import { list } from './list.ts'
import { refund, refundByHand } from './refund.ts'

export const refundOperations: ServedOperation[] = [refund, refundByHand, list, ledger]
