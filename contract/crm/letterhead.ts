import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Name, Nullable, OneOf } from '../shapes.ts'
import { Type } from '../type.ts'
import { editAccess, viewAccess } from './access.ts'
import { Sha256 } from './signatures.ts'

/** How budgets and invoices look, and where they are paid. */
export const Letterhead = Type.Object({
  accentColor: Nullable(Type.String({ description: '`#rrggbb`' })),
  accountHolder: Nullable(Type.String()),
  iban: Nullable(Type.String()),
  bic: Nullable(Type.String()),
  footer: Nullable(Type.String()),
  logo: Nullable(
    Type.Object({
      sha256: Type.String({ description: 'Of the picture, in hex' }),
      contentType: OneOf(['image/png', 'image/jpeg']),
    }),
  ),
})
export type Letterhead = Static<typeof Letterhead>

export const readLetterhead = operation('GET /letterhead', {
  ...viewAccess,
  summary: 'Retrieve the letterhead of budgets and invoices',
  reply: Letterhead,
})
export const updateLetterhead = operation('PUT /letterhead', {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Set the letterhead of budgets and invoices',
  description: 'Issued invoices keep theirs.',
  body: {
    accentColor: Nullable(
      Type.String({
        maxLength: 7,
        pattern: '^#[0-9a-f]{6}$',
        description: `\`#rrggbb\`, with a contrast of at least ${limits.letterheadContrast} to white`,
      }),
    ),
    accountHolder: Nullable(Name(limits.clientName)),
    iban: Nullable(
      Type.String({
        maxLength: limits.iban,
        pattern: '^[A-Z]{2}[0-9]{2}( ?[A-Z0-9])+$',
        description: 'With right check digits; spaces are removed',
      }),
    ),
    bic: Nullable(
      Type.String({
        maxLength: limits.bic,
        pattern: '^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$',
        description: 'Eight or eleven capital letters and figures',
      }),
    ),
    footer: Nullable(
      Type.String({ maxLength: limits.letterheadFooter, description: 'Up to four lines on each page' }),
    ),
  },
  reply: Letterhead,
})

const logoPath = '/letterhead/logo'

export const uploadLogo = operation(`PUT ${logoPath}`, {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Set the logo of the letterhead (multipart/form-data)',
  description: `\`file\` is a PNG, not interlaced, or a JPEG, of at most ${limits.logoBytes} bytes and ${limits.logoPixels} pixels.`,
  requestType: 'multipart/form-data',
  formFields: { file: Type.Unsafe<never>({ type: 'string', format: 'binary' }) },
  reply: Letterhead,
  errors: ['BODY_TOO_LARGE', 'TOO_MANY_FILES'],
})
export const removeLogo = operation(`DELETE ${logoPath}`, {
  ...editAccess,
  auth: { session: { permission: 'ORG_MANAGE' } },
  summary: 'Remove the logo of the letterhead',
  reply: Letterhead,
})
export const openLogo = operation(`GET ${logoPath}`, {
  ...viewAccess,
  summary: 'Download the logo of the letterhead',
  responseType: 'application/octet-stream',
  errors: ['FILE_NOT_FOUND'],
})

export const openPublicLogo = operation('GET /logos/:organizationId/:sha256', {
  area: 'crm',
  auth: { public: true },
  summary: 'Show the logo of an organization on its public pages',
  description: 'Only the current logo. Browsers keep it, because another logo has another address.',
  params: { organizationId: Id, sha256: Sha256 },
  responseType: 'application/octet-stream',
  errors: ['FILE_NOT_FOUND'],
  limit: { bucket: 'logos', times: limits.signingPagesPerHour, windowSeconds: 3_600 },
})
