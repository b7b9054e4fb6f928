import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Name } from '../shapes.ts'

const settingsAccess = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'ERROR_REPORTS_MANAGE' } },
} as const

const SecretNames = {
  names: Type.Array(
    Type.String({
      ...Name(limits.secretName),
      // a name of signs alone would be compared as an empty one
      pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*[\\p{L}\\p{N}][^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
      description: 'One line with a letter or digit',
    }),
    {
      maxItems: limits.secretNames,
      description: 'Names of fields. Capitals, accents, spaces and signs between words make no difference',
    },
  ),
}

export const readSecretNames = operation('GET /error-reports/secret-names', {
  ...settingsAccess,
  summary: 'List the field names whose values are removed from error reports',
  description: 'Those of the organization. The names that every report is searched for are in the guide.',
  reply: Type.Object(SecretNames),
})

export const updateSecretNames = operation('PUT /error-reports/secret-names', {
  ...settingsAccess,
  summary: 'Replace the field names whose values are removed from error reports',
  description:
    'For the reports of all applications of the organization that arrive later than two seconds after this answer. ' +
    'Reports that are stored stay as they are.',
  body: SecretNames,
  reply: Type.Object(SecretNames),
})
