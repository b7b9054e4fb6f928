import { createContext, type ReactNode, useContext } from 'react'
import type { Route } from '#contract/route.ts'
import { type Caller, type Obstacle, obstacleOf } from './may.ts'

/** The organization in the address, and the person in it. */
export type OrganizationScope = {
  id: string
  /** The part of the address that names it. */
  address: string
  name: string
  caller: Caller
}

const OrganizationContext = createContext<OrganizationScope | undefined>(undefined)

export function OrganizationProvider({ scope, children }: { scope: OrganizationScope; children: ReactNode }) {
  return <OrganizationContext value={scope}>{children}</OrganizationContext>
}

/** The organization in the address. Only for screens below `/o/:organization`. */
export function useOrganization(): OrganizationScope {
  const scope = useContext(OrganizationContext)
  if (!scope) throw new Error('This screen is not below /o/:organization')
  return scope
}

/** Whether the caller may call an operation; screens hide what they may not. */
export function useMay(): <In, Out>(operation: Route<In, Out>) => boolean {
  const { caller } = useOrganization()
  return operation => obstacleOf(caller, operation) === undefined
}

export function useObstacle<In, Out>(operation: Route<In, Out>): Obstacle | undefined {
  return obstacleOf(useOrganization().caller, operation)
}
