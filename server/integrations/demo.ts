import { criticalScopes, planIncludes, type Scope } from '#contract/permissions.ts'
import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#platform/required.ts'
import type { DemoOrganization } from '#server/area.ts'
import { slugFrom, sortScopes } from './applications/application.rules.ts'
import { insertApplication } from './applications/application.sql.ts'
import { insertCriticalScope } from './critical-scopes/critical-scope.sql.ts'
import { digestOf, newKey, prefixOf } from './keys/api-key.format.ts'
import { insertKey } from './keys/api-key.sql.ts'

const samples: { name: string; description: string; scopes: Scope[] }[] = [
  {
    name: 'Support desk',
    description: 'Answers in channels, moderates them and receives lead events',
    scopes: [
      'chat:events:subscribe',
      'chat:messages:view',
      'chat:messages:send',
      'chat:channels:create',
      'chat:channels:manage',
      'chat:members:manage',
      'chat:agents:manage',
      'analytics:errors:write',
      'analytics:errors:read',
      'crm:leads:read',
      'crm:leads:read:scoring',
    ],
  },
  {
    name: 'Website',
    description: 'Sends leads from the contact form, bills and charges its users, and reports its errors',
    scopes: [
      'analytics:errors:write',
      'crm:budgets:signatures:read',
      'crm:budgets:signatures:verify',
      'crm:leads:read',
      'crm:leads:write',
      'crm:leads:convert',
      'crm:invoices:read',
      'crm:invoices:send',
      'crm:invoices:write',
      'billing:charge',
      'billing:refund',
    ],
  },
]

const reason = 'A demo whose gateway moves no money and whose people are invented'

/**
 * Seeds two applications of the owner if the plan has integrations. Their keys are only in demo.json. The operator grants
 * their critical scopes.
 */
export async function seedIntegrations(
  tx: Tx,
  organization: DemoOrganization,
  _index: number,
  operatorId: string,
): Promise<void> {
  if (!planIncludes[organization.plan].modules.includes('integrations')) return
  const principalId = firstOf(organization.people).id
  const applications: DemoOrganization['applications'] = []
  for (const { name, description, scopes } of samples) {
    const id = newId()
    const slug = slugFrom(name)
    const key = newKey(organization.id)
    await insertApplication(tx, id, {
      slug,
      name,
      description,
      status: 'ACTIVE',
      principal_id: principalId,
      origins: [],
      scopes: sortScopes(scopes),
    })
    for (const scope of criticalScopes.filter(scope => scopes.includes(scope)))
      await insertCriticalScope(tx, id, { scope, grantedBy: operatorId, reason })
    await insertKey(tx, id, {
      name: 'Demo',
      digest: digestOf(key),
      prefix: prefixOf(key),
      createdBy: principalId,
      days: null,
    })
    applications.push({ id, slug, name, key })
  }
  organization.applications = applications
}
