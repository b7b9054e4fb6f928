import { readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { isPhoneCountry } from '../phone.ts'
import { phoneCountryOf, setPhoneCountry } from './crm-settings.sql.ts'

export const read = query(readCrmSettings, async ({ db }) => ({ phoneCountry: await phoneCountryOf(db) }))

/** Stored numbers do not change. */
export const update = command(updateCrmSettings, async ({ tx, body: { phoneCountry }, audit }) => {
  if (!isPhoneCountry(phoneCountry))
    fail('VALIDATION_ERROR', {
      details: [{ path: 'phoneCountry', code: 'unknown', message: 'has no telephone numbers' }],
    })
  const isChanged = await setPhoneCountry(tx, phoneCountry)
  audit(tx.organizationId, isChanged ? ['phoneCountry'] : [])
  return { phoneCountry }
})
