import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { toEdit, toErase, toView } from './auth.ts'
import { UserId } from './shapes.ts'

const application = { applicationId: Id }
const user = { applicationId: Id, userId: UserId }

/** A user of an application, and the client that is billed for them. */
export const ExternalUser = Type.Object({
  applicationId: Id,
  userId: Type.String({ description: 'The id that the application uses' }),
  clientId: Id,
  clientName: Type.String(),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
  createdAt: Time,
  updatedAt: Time,
})
export type ExternalUser = Static<typeof ExternalUser>

export const listExternalUsers = operation('GET /applications/:applicationId/users', {
  ...toView,
  summary: 'List the billed users of an application, ordered by their id',
  description: `\`total\` counts at most ${limits.invoicesCounted}.`,
  params: application,
  query: pageQuery,
  reply: Page(ExternalUser),
  errors: ['APPLICATION_NOT_FOUND'],
})
export const readExternalUser = operation('GET /applications/:applicationId/users/:userId', {
  ...toView,
  summary: 'Get a user of an application',
  params: user,
  reply: ExternalUser,
  errors: ['APPLICATION_NOT_FOUND', 'EXTERNAL_USER_NOT_FOUND'],
})
export const putExternalUser = operation('PUT /applications/:applicationId/users/:userId', {
  ...toEdit,
  summary: 'Set the client that is billed for a user of an application',
  description: 'Applies to new invoices; existing invoices keep their client.',
  params: user,
  body: {
    clientId: Id,
    name: Type.Optional(Nullable(Name(limits.clientName))),
    email: Type.Optional(Nullable(Email)),
  },
  reply: ExternalUser,
  errors: ['APPLICATION_NOT_FOUND', 'NOT_OF_THIS_ORGANIZATION'],
})
export const eraseExternalUser = operation('POST /applications/:applicationId/users/:userId/erase', {
  ...toErase,
  summary: 'Erase the personal data of an application’s user',
  description:
    'Erases the name, the e-mail address and the addresses to which invoices were sent. This cannot be ' +
    'undone. Issued invoices stay unchanged, as the law requires, and so does the application’s id for the ' +
    'user. The application may send the data again with its next invoice.',
  params: user,
  reply: ExternalUser,
  errors: ['APPLICATION_NOT_FOUND', 'EXTERNAL_USER_NOT_FOUND'],
})
