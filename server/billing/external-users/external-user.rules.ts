import { changedFieldNames } from '#platform/changed-fields.ts'
import type { ExternalUserRow } from './external-user.sql.ts'

type UserFields = Pick<ExternalUserRow, 'client_id' | 'name' | 'email'>

/** The fields that differ between two states of a user; for a new user the fields that they have. */
export function changedUserFields(before: UserFields | undefined, after: UserFields): string[] {
  return changedFieldNames({ client_id: 'clientId', name: 'name', email: 'email' }, before, after)
}
