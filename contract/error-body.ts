import { errors } from './errors.ts'
import { capabilities, modules, permissions, scopes } from './permissions.ts'
import { FreeObject, OneOf, Time } from './shapes.ts'
import { Type } from './type.ts'

/** The error codes that clients see, without duplicates. */
const wireCodes = [
  ...new Set(Object.keys(errors).flatMap(code => wireCode(code as keyof typeof errors) ?? [])),
].sort()

/** The code that the error body carries for a refusal; undefined if the body carries no code. */
export function wireCode(code: keyof typeof errors): string | undefined {
  const definition: { status: number; bare?: true; wireCode?: string } = errors[code]
  return definition.bare ? undefined : (definition.wireCode ?? code)
}

export const ErrorCode = OneOf(wireCodes, { description: 'Stable: programs can rely on it' })

const ErrorDetail = Type.Object({
  path: Type.String({ description: 'The field, such as `lines.0.quantity`; empty for the whole request' }),
  code: Type.String(),
  message: Type.String(),
})

/**
 * The field of `nextStep` with the second call (CHG-6). A const, because the linter refuses the literal: an
 * object with a function of this name would be awaited.
 */
export const secondCall = 'then'

/** The body of every error reply. Some codes add the fields after `details`. */
export const ErrorBody = Type.Object({
  statusCode: Type.Integer({ description: 'The HTTP status' }),
  error: Type.String({ description: 'The name of the HTTP status' }),
  message: Type.String({ description: 'One sentence that says what to do next' }),
  errorCode: Type.Optional(ErrorCode),
  details: Type.Optional(Type.Array(ErrorDetail, { description: 'The problems, field by field' })),
  retryAfterSeconds: Type.Optional(Type.Integer({ description: 'The value of the header Retry-After' })),
  limit: Type.Optional(Type.Integer({ description: 'The limit that was reached' })),
  windowSeconds: Type.Optional(Type.Integer({ description: 'The window of that limit' })),
  used: Type.Optional(Type.Integer({ description: 'The used part of a quota' })),
  resetAt: Type.Optional(Time),
  moduleKey: Type.Optional(OneOf(modules, { description: 'The module that the plan lacks' })),
  capabilityKey: Type.Optional(OneOf(capabilities, { description: 'The capability that the plan lacks' })),
  scopes: Type.Optional(Type.Array(OneOf(scopes), { description: 'The scopes that were refused' })),
  permissions: Type.Optional(
    Type.Array(OneOf(permissions), { description: 'The permissions that the caller lacks' }),
  ),
  nextStep: Type.Optional(
    Type.Object(
      { operation: Type.String(), [secondCall]: Type.String() },
      { description: 'The two calls to make first' },
    ),
  ),
  paymentIntentId: Type.Optional(Type.String({ description: 'The charge that is in progress' })),
  invoiceId: Type.Optional(Type.String({ description: 'The invoice that exists already' })),
  dueCents: Type.Optional(Type.Integer({ description: 'The amount that is due' })),
  refundableCents: Type.Optional(Type.Integer({ description: 'The amount that can be refunded' })),
  version: Type.Optional(Type.String({ description: 'The version that exists already' })),
  contentHash: Type.Optional(Type.String({ description: 'The fingerprint of its content' })),
  nextVersion: Type.Optional(Type.String({ description: 'A free version number' })),
  path: Type.Optional(Type.String({ description: 'The file that exists already' })),
  childCount: Type.Optional(Type.Integer({ description: 'The number of collections inside' })),
  updatedAt: Type.Optional(Time),
  conflicts: Type.Optional(Type.Array(FreeObject, { description: 'Fields that changed on both sides' })),
  findings: Type.Optional(
    Type.Array(FreeObject, { description: 'The problems that prevent the submission' }),
  ),
})
