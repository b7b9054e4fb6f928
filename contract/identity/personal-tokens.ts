import Type, { type Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'

const token = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'How the token begins, to tell one from another' }),
  createdAt: Time,
  expiresAt: Time,
  lastUsedAt: Nullable({ ...Time, description: 'To the minute' } as typeof Time),
}

/** A personal access token, without the token itself. */
export const PersonalToken = Type.Object(token)
export type PersonalToken = Static<typeof PersonalToken>

const people = { session: { permission: null } } as const
const area = 'auth'

export const createPersonalToken = operation('POST /personal-tokens', {
  area,
  summary: 'Make a personal access token for a tool',
  description:
    'With it a tool reads, at the doors for tools only, what you may read in this organization at that moment. The ' +
    `token is shown this once. At most ${limits.personalTokens} work at a time.`,
  auth: people,
  body: {
    name: Name(limits.personalTokenName),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.personalTokenDays,
        default: limits.personalTokenDaysDefault,
      }),
    ),
  },
  reply: Type.Object({
    ...token,
    token: Type.String({ description: 'The token; keep it, it is not shown again' }),
  }),
  status: 201,
  errors: ['TOO_MANY_TOKENS'],
  limit: { bucket: 'create-personal-token', times: limits.personalTokensPerHour, windowSeconds: 3_600 },
})

export const listPersonalTokens = operation('GET /personal-tokens', {
  area,
  summary: 'List your personal access tokens of this organization, newest first',
  description: 'Without those that were revoked. One that has expired is listed for a while.',
  auth: people,
  query: pageQuery,
  reply: Page(PersonalToken),
})

export const revokePersonalToken = operation('DELETE /personal-tokens/:id', {
  area,
  summary: 'Revoke one of your personal access tokens',
  description: 'It opens nothing any more, on every process within two seconds.',
  auth: people,
  params: { id: Id },
  errors: ['TOKEN_NOT_FOUND'],
})
