import type { ServedOperation } from '#platform/http/operation.ts'
import { list, read, revoke } from './authorizations.ts'
import { cardPageOperations } from './card-page/card-page.ts'
import * as cards from './cards/list.ts'
import * as consent from './consent/consent.ts'
import { create } from './create.ts'

/** Payment authorizations, saved cards and consent texts. */
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
