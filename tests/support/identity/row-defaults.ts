import { newId } from '#platform/ids.ts'
import type { RowDefaults } from '../table.ts'

export const identityRows: RowDefaults = {
  organization: () => ({ id: newId(), name: 'Organization', plan: 'FREE' }),
  membership: () => ({ role: 'MEMBER', name: 'Person' }),
  person: () => ({ id: newId(), name: 'Person', email_verified: true }),
  personal_token: () => ({ id: newId(), name: 'Token', expires_at: tomorrow() }),
  role: () => ({ id: newId(), permissions: [] }),
  saved_view: () => ({ id: newId(), list: 'leads', name: 'View', filters: {}, is_shared: false }),
  session: () => ({ id: newId(), token: newId(), expires_at: tomorrow() }),
  unit: () => ({ id: newId(), kind: 'GROUP', name: 'Group' }),
  verification: () => ({ id: newId(), identifier: 'identifier', value: 'value', expires_at: tomorrow() }),
}

function tomorrow(): Date {
  return new Date(Date.now() + 86_400_000)
}
