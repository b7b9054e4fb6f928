import {
  type Capability,
  capabilities,
  type Module,
  modules,
  type Plan,
  planIncludes,
  plans,
  type Scope,
} from '#contract/permissions.ts'

/** A module or a capability of a plan. */
export type PlanPartId = Module | Capability
/** The decision of the operator on one part: as the plan says, or an exception. */
export type PlanException = 'plan' | 'added' | 'removed'
/** The plan of an organization with its exceptions, as `updateOperatedOrganization` takes it. */
export type PlanChoice = {
  plan: Plan
  modulesAdded: Module[]
  modulesRemoved: Module[]
  capabilitiesAdded: Capability[]
  capabilitiesRemoved: Capability[]
}

/** The modules and capabilities, each capability behind its module. */
export const planParts: readonly PlanPartId[] = [
  'studio',
  'integrations',
  'crm',
  'crm.leads',
  'finance',
  'card_payments',
  'finance.direct_debit',
]

/** The scopes that applications cannot use without a part. */
const scopesOfParts: Readonly<Record<PlanPartId, (scope: Scope) => boolean>> = {
  studio: scope => scope.startsWith('studio:'),
  // every call of an application needs it
  integrations: () => true,
  crm: scope => scope.startsWith('crm:leads') || scope.startsWith('crm:budgets'),
  'crm.leads': scope => scope.startsWith('crm:leads'),
  finance: scope => scope.startsWith('crm:invoices') || scope.startsWith('billing:'),
  card_payments: scope => scope.startsWith('billing:'),
  'finance.direct_debit': scope => scope === 'billing:charge',
}

const isModule = (id: PlanPartId): id is Module => modules.some(module => module === id)

/** Whether a plan has a part without any exception. */
export function planHas(plan: Plan, id: PlanPartId): boolean {
  const { modules: inPlan, capabilities: also } = planIncludes[plan]
  return [...inPlan, ...also].some(part => part === id)
}

/** The smallest plan that has a part. */
export function smallestPlanOf(id: PlanPartId): Plan {
  return plans.find(plan => planHas(plan, id)) ?? 'ENTERPRISE'
}

/** The exception for a part; a removed part stays absent even if it was also added (PLN-2). */
export function exceptionOf(choice: PlanChoice, id: PlanPartId): PlanException {
  const has = (list: readonly PlanPartId[]) => list.includes(id)
  if (has(choice.modulesRemoved) || has(choice.capabilitiesRemoved)) return 'removed'
  return has(choice.modulesAdded) || has(choice.capabilitiesAdded) ? 'added' : 'plan'
}

/** The choice with another exception for one part. */
export function withException(choice: PlanChoice, id: PlanPartId, exception: PlanException): PlanChoice {
  const changed = <Part extends PlanPartId>(list: readonly Part[], all: readonly Part[], isIn: boolean) =>
    all.filter(part => (part === id ? isIn : list.includes(part)))
  const isAdded = exception === 'added'
  const isRemoved = exception === 'removed'
  if (isModule(id))
    return {
      ...choice,
      modulesAdded: changed(choice.modulesAdded, modules, isAdded),
      modulesRemoved: changed(choice.modulesRemoved, modules, isRemoved),
    }
  return {
    ...choice,
    capabilitiesAdded: changed(choice.capabilitiesAdded, capabilities, isAdded),
    capabilitiesRemoved: changed(choice.capabilitiesRemoved, capabilities, isRemoved),
  }
}

/** The parts that an organization with this choice has. */
export function partsOf(choice: PlanChoice): PlanPartId[] {
  return planParts.filter(id => {
    const exception = exceptionOf(choice, id)
    return exception === 'plan' ? planHas(choice.plan, id) : exception === 'added'
  })
}

/** The parts that an organization loses and gains when its choice changes. */
export function differenceOf(
  before: PlanChoice,
  after: PlanChoice,
): { lost: PlanPartId[]; gained: PlanPartId[] } {
  const [had, has] = [partsOf(before), partsOf(after)]
  return {
    lost: had.filter(id => !has.includes(id)),
    gained: has.filter(id => !had.includes(id)),
  }
}

type Application = { status: string; scopes: readonly Scope[] }

/** The active applications that use a part: with a scope that does nothing without it. */
export function usersOf<One extends Application>(id: PlanPartId, applications: readonly One[]): One[] {
  return applications.filter(
    ({ status, scopes }) => status === 'ACTIVE' && (id === 'integrations' || scopes.some(scopesOfParts[id])),
  )
}

/** The choice alone, of an organization that has more fields. */
export function choiceOf(organization: PlanChoice): PlanChoice {
  const { plan, modulesAdded, modulesRemoved, capabilitiesAdded, capabilitiesRemoved } = organization
  return { plan, modulesAdded, modulesRemoved, capabilitiesAdded, capabilitiesRemoved }
}

/** Whether two choices are the same. */
export function isSameChoice(one: PlanChoice, other: PlanChoice): boolean {
  const sorted = (choice: PlanChoice) =>
    JSON.stringify([
      choice.plan,
      [...choice.modulesAdded].sort(),
      [...choice.modulesRemoved].sort(),
      [...choice.capabilitiesAdded].sort(),
      [...choice.capabilitiesRemoved].sort(),
    ])
  return sorted(one) === sorted(other)
}
