import type { ServedOperation } from '#platform/http/operation.ts'
import { list, read, revoke } from './authorizations.ts'
import { cardPageOperations } from './card-page/card-page.ts'
import * as cards from './cards/list.ts'
import * as consent from './consent/consent.ts'
import { create } from './create.ts'

/** What users let themselves be charged by: authorizations, cards, and the texts that they agree to. */
export const authorizationOperations: ServedOperation[] = [
  consent.read,
  create,
  list,
  read,
  revoke,
  cards.list,
  consent.list,
  consent.write,
  ...cardPageOperations,
]
