import type { ServedOperation } from '#platform/http/operation.ts'
import { charge, chargeByHand } from './charge/charge.ts'
import { list } from './list.ts'
import { openDocument } from './page/document.ts'
import { open } from './page/open.ts'
import * as page from './page/pay.ts'
import { pay } from './pay/pay.ts'

export const chargeOperations: ServedOperation[] = [
  charge,
  chargeByHand,
  pay,
  list,
  open,
  openDocument,
  page.pay,
  page.answer,
]
