import { newId } from '#platform/ids.ts'
import type { RowDefaults } from '../table.ts'

export const integrationRows: RowDefaults = {
  application_key: () => ({ id: newId(), name: 'Key', prefix: '', created_by: '' }),
  webhook_delivery: () => ({ event: 'WEBHOOK_TEST', subject: {}, body: '{}', emitted_at: new Date() }),
  webhook_due: () => ({ due_at: new Date(), trigger: 'AUTOMATIC' }),
  webhook_new_range: () => ({ written_at: new Date() }),
  webhook_redelivery: () => ({
    id: newId(),
    kind: 'RECOVERY',
    status_before: 'FAILED',
    per_second: 1,
    total: 1,
  }),
  webhook_secret: () => ({ id: newId(), sealed: '', state: 'CURRENT' }),
}
