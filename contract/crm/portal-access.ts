import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'

/** Not only any text: ending what has ended already is no error (PRT-16), ending what cannot exist is. */
const PortalAccessId = Type.String({
  pattern: '^[0-9a-z]{25,64}$',
  maxLength: 64,
  description: 'Identifier of a session or link',
})

/** A session of the customer portal, or a mailed link that can still open one (PRT-15). */
export const PortalAccess = Type.Object({
  id: PortalAccessId,
  kind: OneOf(['SESSION', 'LINK']),
  contactId: Id,
  contactName: Nullable(Type.String()),
  contactEmail: Type.String(),
  createdAt: Time,
  lastUsedAt: Nullable({
    ...Time,
    description: 'Accurate to the minute; null for a link, which works once',
  } as typeof Time),
  expiresAt: Time,
  ipAddressMasked: Nullable(
    Type.String({
      description: 'The address that opened the session or requested the link, without its last part',
    }),
  ),
})
export type PortalAccess = Static<typeof PortalAccess>

export const listPortalAccess = operation('GET /clients/:id/portal-access', {
  ...viewAccess,
  summary: 'List the portal sessions and links of the contacts of a client, newest first',
  description: `Only those that have not expired, at most ${limits.portalAccessShown}.`,
  params: { id: Id },
  reply: Type.Object({ items: Type.Array(PortalAccess) }),
  errors: ['CLIENT_NOT_FOUND'],
})

export const endPortalAccess = operation('POST /contacts/:id/portal-access/:accessId/end', {
  announces: { event: 'contact.changed', id: 'id' },
  ...editAccess,
  summary: 'End one portal session or link of a contact',
  description: 'One that has ended already is no error. The contact can request another link.',
  params: { id: Id, accessId: PortalAccessId },
  reply: Type.Object({ ended: Type.Boolean({ description: 'False: it had ended already' }) }),
  errors: ['CONTACT_NOT_FOUND'],
})

export const endAllPortalAccess = operation('POST /clients/:id/portal-access/end', {
  announces: { event: 'client.changed', id: 'id' },
  ...editAccess,
  summary: 'End all portal sessions and links of the contacts of a client',
  description: 'The contacts can request new links; archive a contact to prevent that.',
  params: { id: Id },
  reply: Type.Object({ sessionsEnded: Type.Integer(), linksEnded: Type.Integer() }),
  errors: ['CLIENT_NOT_FOUND'],
})
