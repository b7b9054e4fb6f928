import { criticalScopes, type Scope, scopes } from '#contract/permissions.ts'

/** The areas of the product in the order of the list, each with what its scopes begin with. */
const groupPrefixes = {
  crm: ['crm:leads', 'crm:budgets'],
  billing: ['crm:invoices', 'billing:'],
  chat: ['chat:'],
  errors: ['analytics:'],
  studio: ['studio:'],
} as const satisfies Record<string, readonly string[]>
export type ScopeGroupId = keyof typeof groupPrefixes
export type ScopeGroup = { id: ScopeGroupId; scopes: readonly Scope[] }

/** Every scope of the contract in the group of its area. */
export const scopeGroups: readonly ScopeGroup[] = (Object.keys(groupPrefixes) as ScopeGroupId[]).map(id => ({
  id,
  scopes: scopes.filter(scope => groupPrefixes[id].some(prefix => scope.startsWith(prefix))),
}))

/** Whether only an operator of the server can grant the scope (SCP-5). */
export function isCritical(scope: Scope): boolean {
  return (criticalScopes as readonly Scope[]).includes(scope)
}

/** The groups that have one of these scopes, each with those alone. */
export function groupsOf(held: readonly Scope[]): ScopeGroup[] {
  return scopeGroups
    .map(group => ({ ...group, scopes: group.scopes.filter(scope => held.includes(scope)) }))
    .filter(group => group.scopes.length > 0)
}
