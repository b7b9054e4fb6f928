import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Email, Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { toEdit, toErase, toView } from './auth.ts'
import { UserId } from './shapes.ts'

const application = { applicationId: Id }
const user = { applicationId: Id, userId: UserId }

/** A user of an application, and the client that is billed for them. */
export const ExternalUser = Type.Object({
  applicationId: Id,
  userId: Type.String({ description: 'As the application calls them' }),
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
  summary: 'The users of an application who are billed, in the order of their names there',
  description: `At most ${limits.invoicesCounted} are counted in \`total\`.`,
  params: application,
  query: pageQuery,
  reply: Page(ExternalUser),
  errors: ['APPLICATION_NOT_FOUND'],
})
export const readExternalUser = operation('GET /applications/:applicationId/users/:userId', {
  ...toView,
  summary: 'A user of an application',
  params: user,
  reply: ExternalUser,
  errors: ['APPLICATION_NOT_FOUND', 'EXTERNAL_USER_NOT_FOUND'],
})
export const putExternalUser = operation('PUT /applications/:applicationId/users/:userId', {
  ...toEdit,
  summary: 'Say which client is billed for a user of an application',
  description: 'For invoices from now on: those that there are keep their client.',
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
  summary: 'Erase what is known of a user of an application; cannot be undone',
  description:
    'Name and e-mail, and where invoices of theirs were sent. Their invoices stay as they were issued, as the law wants, and ' +
    'so does the name that the application has for them. It tells of them again with its next invoice, if it does.',
  params: user,
  reply: ExternalUser,
  errors: ['APPLICATION_NOT_FOUND', 'EXTERNAL_USER_NOT_FOUND'],
})
