import type { Area } from '#server/area.ts'
import { seedIntegrations } from './demo.ts'
import { integrationInbox } from './inbox.sql.ts'
import { integrationOverview, operatorOverview } from './overview.sql.ts'
import { integrationRoutes } from './routes.ts'
import { readWebhookBacklog } from './webhooks/backlog/backlog.sql.ts'

export { catalogue } from './event-catalogue.ts'
export { openApplicationCallers } from './keys/callers.ts'

export const integrationArea: Area = {
  name: 'integrations',
  operations: integrationRoutes,
  inbox: integrationInbox,
  async overview(db, caller, crossTenant) {
    const [own, ofOperator] = await Promise.all([
      integrationOverview(db, caller),
      operatorOverview(crossTenant, caller),
    ])
    return { ...own, ...ofOperator }
  },
  health: async database => ({ webhooks: await readWebhookBacklog(database) }),
  seed: () => seedIntegrations,
}
