import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Name } from '../shapes.ts'
import { Type } from '../type.ts'

const settingsAccess = {
  area: 'integrations',
  module: 'integrations',
  auth: { session: { permission: 'ERROR_REPORTS_MANAGE' } },
} as const

const SecretNames = {
  names: Type.Array(
    Type.String({
      ...Name(limits.secretName),
      // names are compared by letters and digits, so a name of punctuation would be empty
      pattern: '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*[\\p{L}\\p{N}][^\\p{Cc}\\p{Zl}\\p{Zp}]*$',
      description: 'One line with at least one letter or digit',
    }),
    {
      maxItems: limits.secretNames,
      description: 'Field names. Case, accents, spaces and punctuation between words are ignored',
    },
  ),
}

export const readSecretNames = operation('GET /error-reports/secret-names', {
  ...settingsAccess,
  summary: 'Retrieve the secret field names of the organization',
  description:
    'The values of these fields are removed from error reports, in addition to the built-in names of the error reporting guide.',
  reply: Type.Object(SecretNames),
})

export const updateSecretNames = operation('PUT /error-reports/secret-names', {
  ...settingsAccess,
  summary: 'Replace the secret field names of the organization',
  description:
    'Applies to reports of all applications of the organization that arrive more than two seconds after the response. ' +
    'Stored reports stay unchanged.',
  body: SecretNames,
  reply: Type.Object(SecretNames),
})
