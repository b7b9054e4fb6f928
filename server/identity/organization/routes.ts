import type { ServedOperation } from '#platform/http/operation.ts'
import * as audit from '../audit-log/audit-log.ts'
import * as auditExport from '../audit-log/export.ts'
import { markDone } from '../inbox/mark-done.ts'
import * as accepting from '../invitations/accept.ts'
import * as invitations from '../invitations/invitations.ts'
import * as members from '../members/members.ts'
import { people } from '../members/people.ts'
import { provisioningTokenOperations } from '../provisioning/provisioning-tokens.ts'
import * as roles from '../roles/roles.ts'
import { ofMember, unitOperations } from '../units/units.ts'
import * as views from '../views/views.ts'
import * as organization from './organization.ts'

/**
 * The operations of an organization, `/api/org`, and the acceptance of invitations, `/api/auth/invitations`.
 */
export const organizationRoutes: ServedOperation[] = [
  organization.get,
  organization.update,
  members.list,
  members.get,
  members.update,
  members.remove,
  people,
  invitations.list,
  invitations.invite,
  invitations.inviteAll,
  invitations.send,
  invitations.revoke,
  accepting.read,
  accepting.accept,
  accepting.acceptSignedIn,
  roles.list,
  roles.create,
  roles.get,
  roles.update,
  roles.remove,
  ...unitOperations,
  ofMember,
  markDone,
  ...provisioningTokenOperations,
  views.list,
  views.create,
  views.update,
  views.remove,
  audit.list,
  auditExport.exportCsv,
  audit.verify,
]
