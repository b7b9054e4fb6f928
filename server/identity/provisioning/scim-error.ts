import { Refusal } from '#platform/fail.ts'

export const scimType = 'application/scim+json; charset=utf-8'

type ErrorKind =
  | 'invalidFilter'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'invalidValue'
  | 'mutability'
  | 'uniqueness'

/** A refusal that only identity providers see, with the status and `scimType` of RFC 7644 section 3.12. */
export class ScimError extends Error {
  readonly status: number
  readonly kind: ErrorKind | undefined
  constructor(status: number, detail: string, kind?: ErrorKind) {
    super(detail)
    this.status = status
    this.kind = kind
  }
}

/** Refuses a value or a request with 400. */
export function refuseInput(kind: ErrorKind, detail: string): never {
  throw new ScimError(400, detail, kind)
}

/** Error: 404. */
export function refuseUnknown(): never {
  throw new ScimError(404, 'There is no such resource in this organization.')
}

// refusals of shared rules that SCIM has a word for, or that name a value of the request
const kinds: Partial<Record<Refusal['code'], { status: number; kind: ErrorKind }>> = {
  NAME_TAKEN: { status: 409, kind: 'uniqueness' },
  ALREADY_MEMBER: { status: 409, kind: 'uniqueness' },
  ROLE_NOT_FOUND: { status: 400, kind: 'invalidValue' },
  VALIDATION_ERROR: { status: 400, kind: 'invalidValue' },
  MALFORMED_BODY: { status: 400, kind: 'invalidSyntax' },
}

/** The body of an error. */
export function scimErrorBody(error: ScimError | Refusal): { status: number; body: object } {
  const known = error instanceof Refusal ? kinds[error.code] : undefined
  const status = known?.status ?? error.status
  const kind = known?.kind ?? (error instanceof ScimError ? error.kind : undefined)
  return {
    status,
    body: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: String(status),
      ...(kind && { scimType: kind }),
      detail: error.message,
    },
  }
}
