import type { ServedOperation } from '#platform/http/operation.ts'
import { deliveryOperations } from './deliveries/deliveries.ts'
import { webhookOperations } from './endpoint/webhook.ts'
import { recover } from './redelivery/recover.ts'
import { cancel, list as listRecoveries } from './redelivery/recoveries.ts'
import { replay } from './replay/replay.ts'
import { secretOperations } from './secrets/secrets.ts'

/** The webhook of an application and its deliveries: `/api/integrations/applications/:id/webhook`. */
export const webhookRecordOperations: ServedOperation[] = [
  ...webhookOperations,
  ...secretOperations,
  ...deliveryOperations,
  recover,
  replay,
  listRecoveries,
  cancel,
]
