import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id } from '../shapes.ts'
import { Type } from '../type.ts'

/** The names of people whose ids other replies contain. */
export const PersonName = Type.Object({
  id: Id,
  name: Type.String(),
  isMember: Type.Boolean({ description: 'False for a person who has left the organization' }),
})

export const listPeople = operation('GET /people', {
  area: 'org',
  summary: 'Get the names of people by their ids',
  description: 'Includes people who have left the organization. Unknown ids are left out.',
  auth: { session: { permission: null } },
  query: { ids: Type.Array(Id, { maxItems: limits.pageLimit, uniqueItems: true }) },
  reply: Type.Object({ items: Type.Array(PersonName) }),
})
