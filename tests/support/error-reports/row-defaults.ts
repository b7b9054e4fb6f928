import { newId } from '#platform/ids.ts'
import type { RowDefaults } from '../table.ts'

export const errorReportRows: RowDefaults = {
  error_group: () => {
    const id = newId()
    return {
      id,
      hash: id,
      fingerprint_version: 'e1',
      message: 'Broken',
      severity: 'low',
      count: 1,
      hour_count: 1,
      window_count: 1,
    }
  },
  error_group_count: () => ({ severity: 'low', state: 'UNRESOLVED' }),
}
