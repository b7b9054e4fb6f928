import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, Page, pageQuery, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const token = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token, to identify it' }),
  createdAt: Time,
  expiresAt: Time,
  lastUsedAt: Nullable({ ...Time, description: 'Accurate to the minute' } as typeof Time),
}

/** A personal access token, without its secret. */
export const PersonalToken = Type.Object(token)
export type PersonalToken = Static<typeof PersonalToken>

const people = { session: { permission: null } } as const
const area = 'auth'

export const createPersonalToken = operation('POST /personal-tokens', {
  area,
  summary: 'Create a personal access token for a tool',
  description:
    'A tool uses it to read what you may read in this organization, with the operations for tools only. The ' +
    `token is shown once. You can have at most ${limits.personalTokens} active tokens.`,
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
    token: Type.String({ description: 'The token. Store it: it is not shown again' }),
  }),
  status: 201,
  errors: ['TOO_MANY_TOKENS'],
  limit: { bucket: 'create-personal-token', times: limits.personalTokensPerHour, windowSeconds: 3_600 },
})

export const listPersonalTokens = operation('GET /personal-tokens', {
  area,
  summary: 'List your personal access tokens of this organization, newest first',
  description: 'Revoked tokens are not listed. Expired tokens are listed for a while.',
  auth: people,
  query: pageQuery,
  reply: Page(PersonalToken),
})

export const revokePersonalToken = operation('DELETE /personal-tokens/:id', {
  area,
  summary: 'Revoke one of your personal access tokens',
  description: 'The token stops working within two seconds on every process.',
  auth: people,
  params: { id: Id },
  errors: ['TOKEN_NOT_FOUND'],
})
