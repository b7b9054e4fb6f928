import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const token = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the token' }),
  createdBy: Id,
  createdAt: Time,
  expiresAt: Time,
  lastUsedAt: Nullable({ ...Time, description: 'Accurate to the minute' } as typeof Time),
}

/** The token of an identity provider, without its secret. */
export const ProvisioningToken = Type.Object(token)
export type ProvisioningToken = Static<typeof ProvisioningToken>

const area = 'org'
const auth = { session: { permission: 'ORG_MANAGE' } } as const

export const createProvisioningToken = operation('POST /provisioning-tokens', {
  area,
  summary: 'Create a token for an identity provider',
  description:
    'The provider manages members and groups with it, through SCIM 2.0 at `/scim/v2`, within your rights. ' +
    `It ends when you leave. At most ${limits.provisioningTokens} tokens.`,
  auth,
  body: {
    name: Name(limits.provisioningTokenName),
    expiresInDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.provisioningTokenDays,
        default: limits.provisioningTokenDays,
      }),
    ),
  },
  reply: Type.Object({
    ...token,
    token: Type.String({ description: 'The token. Store it: it is not shown again' }),
  }),
  status: 201,
  errors: ['TOO_MANY_PROVISIONING_TOKENS'],
  limit: {
    bucket: 'create-provisioning-token',
    times: limits.provisioningTokensPerHour,
    windowSeconds: 3_600,
  },
})

export const listProvisioningTokens = operation('GET /provisioning-tokens', {
  area,
  summary: 'List the tokens of identity providers, newest first',
  auth,
  reply: Type.Object({ items: Type.Array(ProvisioningToken) }),
})

export const revokeProvisioningToken = operation('DELETE /provisioning-tokens/:id', {
  area,
  summary: 'Revoke a token of an identity provider',
  description: 'It stops working within two seconds on every process.',
  auth,
  params: { id: Id },
  errors: ['PROVISIONING_TOKEN_NOT_FOUND'],
})
