import Type from 'typebox'
import { errors } from './errors.ts'
import { capabilities, modules, permissions, scopes } from './permissions.ts'
import { FreeObject, OneOf, Time } from './shapes.ts'

/** The codes that clients see, each once. */
const wireCodes = [
  ...new Set(Object.keys(errors).flatMap(code => wireCode(code as keyof typeof errors) ?? [])),
].sort()

/** The code that an error body carries for a refusal; undefined when the body carries none. */
export function wireCode(code: keyof typeof errors): string | undefined {
  const known: { status: number; bare?: true; toldAs?: string } = errors[code]
  return known.bare ? undefined : (known.toldAs ?? code)
}

export const ErrorCode = OneOf(wireCodes, { description: 'Stable: programs decide by it' })

const ErrorDetail = Type.Object({
  path: Type.String({ description: 'The field, such as `lines.0.quantity`; empty for the whole request' }),
  code: Type.String(),
  message: Type.String(),
})

/** The body of every refusal. Fields after `details` come with some codes only. */
export const ErrorBody = Type.Object({
  statusCode: Type.Integer({ description: 'The HTTP status' }),
  error: Type.String({ description: 'The name of the HTTP status' }),
  message: Type.String({ description: 'One sentence that says what to do next' }),
  errorCode: Type.Optional(ErrorCode),
  details: Type.Optional(Type.Array(ErrorDetail, { description: 'What is wrong, field by field' })),
  retryAfterSeconds: Type.Optional(Type.Integer({ description: 'The same as the header Retry-After' })),
  limit: Type.Optional(Type.Integer({ description: 'The limit that was reached' })),
  windowSeconds: Type.Optional(Type.Integer({ description: 'The window of that limit' })),
  used: Type.Optional(Type.Integer({ description: 'How much of a quota is used' })),
  resetAt: Type.Optional(Time),
  moduleKey: Type.Optional(OneOf(modules, { description: 'The module that the plan lacks' })),
  capabilityKey: Type.Optional(OneOf(capabilities, { description: 'The capability that the plan lacks' })),
  scopes: Type.Optional(Type.Array(OneOf(scopes), { description: 'The scopes that are refused' })),
  permissions: Type.Optional(
    Type.Array(OneOf(permissions), { description: 'The permissions that the caller lacks' }),
  ),
  nextStep: Type.Optional(
    Type.Object(
      // biome-ignore lint/suspicious/noThenProperty: the name on the wire
      { operation: Type.String(), then: Type.String() },
      { description: 'The two calls to make first' },
    ),
  ),
  paymentIntentId: Type.Optional(Type.String({ description: 'The charge that is in progress' })),
  dueCents: Type.Optional(Type.Integer({ description: 'What is due' })),
  refundableCents: Type.Optional(Type.Integer({ description: 'What can be refunded' })),
  version: Type.Optional(Type.String({ description: 'The version that exists already' })),
  contentHash: Type.Optional(Type.String({ description: 'The fingerprint of its content' })),
  nextVersion: Type.Optional(Type.String({ description: 'A version number that is free' })),
  path: Type.Optional(Type.String({ description: 'The file that exists already' })),
  childCount: Type.Optional(Type.Integer({ description: 'How many collections are inside' })),
  updatedAt: Type.Optional(Time),
  conflicts: Type.Optional(Type.Array(FreeObject, { description: 'What changed on both sides' })),
  findings: Type.Optional(
    Type.Array(FreeObject, { description: 'What keeps a release from being submitted' }),
  ),
})
