import {
  type Capability,
  capabilities,
  type Module,
  modules,
  type Plan,
  planIncludes,
  plans,
} from '#contract/permissions.ts'

export type PlanPart = {
  id: Module | Capability
  kind: 'module' | 'capability'
  /** `added` and `removed` are exceptions that the operator made for this organization. */
  state: 'included' | 'added' | 'removed' | 'lacking'
  /** The smallest plan that includes it. */
  from: Plan
}

/** Each module and capability, with whether the organization has it and why (contract/permissions.ts). */
export function partsOfPlan(organization: {
  plan: Plan
  modules: readonly Module[]
  capabilities: readonly Capability[]
}): PlanPart[] {
  const includes = (plan: Plan, id: string) =>
    [...planIncludes[plan].modules, ...planIncludes[plan].capabilities].some(part => part === id)
  const has = (id: string) =>
    [...organization.modules, ...organization.capabilities].some(part => part === id)
  const partOf = (id: Module | Capability, kind: PlanPart['kind']): PlanPart => {
    const isIncluded = includes(organization.plan, id)
    const withIt = isIncluded ? 'included' : 'added'
    const withoutIt = isIncluded ? 'removed' : 'lacking'
    const from = plans.find(plan => includes(plan, id)) ?? 'ENTERPRISE'
    return { id, kind, state: has(id) ? withIt : withoutIt, from }
  }
  return [...modules.map(id => partOf(id, 'module')), ...capabilities.map(id => partOf(id, 'capability'))]
}
