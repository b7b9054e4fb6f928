import { readSecretNames, updateSecretNames } from '#contract/error-reports/secret-names.ts'
import { changes, reads } from '#platform/http/operation.ts'
import { lockSecretNames, secretNamesOf, setSecretNames } from './secret-name.sql.ts'

export const read = reads(readSecretNames, async ({ db }) => ({ names: await secretNamesOf(db) }))

export const update = changes(updateSecretNames, async ({ tx, body, audits }) => {
  const names = [...new Set(body.names.map(name => name.trim()))]
  const before = await lockSecretNames(tx)
  const isChanged = before.join('\n') !== names.join('\n')
  audits(tx.organizationId, isChanged ? ['secretNames'] : [])
  if (isChanged) await setSecretNames(tx, names)
  return { names }
})
