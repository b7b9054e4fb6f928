import {
  createStreamToken,
  getSessionToken,
  listOwnOrganizations,
  readCaller,
} from '#contract/identity/sessions.ts'
import type { Operation } from '#contract/operation.ts'
import type { Area } from '#server/area.ts'
import { operatorRoutes } from './operator/routes.ts'
import { organizationRoutes } from './organization/routes.ts'
import { personOperations } from './person/person.ts'
import { personalTokenOperations } from './personal-tokens/personal-tokens.ts'

export { createOperator, seedDemo } from './first-run.ts'
export { listDoneMarks } from './inbox/inbox-done.sql.ts'
export { type Identity, openIdentity } from './open-identity.ts'
export { scimRoutes } from './provisioning/scim.routes.ts'
export { signInRoutes } from './sign-in/mount.ts'
export type { SignInService } from './sign-in/sign-in.ts'

/** The contracts of `Identity.sessionOperations`. */
export const sessionContracts: Operation[] = [
  getSessionToken as Operation,
  createStreamToken as Operation,
  listOwnOrganizations as Operation,
  readCaller as Operation,
]

export const identityArea: Area = {
  name: 'identity',
  operations: [...personOperations, ...personalTokenOperations, ...organizationRoutes, ...operatorRoutes],
}
