import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listAgents, readAgent } from '#contract/chat/agents.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { organizationRoute } from '../../shell/parent-routes.tsx'
import { agentSearchOf } from './agent.rules.ts'

const listRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/agents',
  validateSearch: agentSearchOf,
  loaderDeps: ({ search: { status } }) => ({ status }),
  loader: ({ context: { organization }, deps: { status } }) =>
    Promise.all([
      beginList(organization.id, listAgents, { query: status ? { status } : {} }),
      ...(status ? [] : [beginList(organization.id, listAgents, { query: { status: 'PENDING_APPROVAL' } })]),
    ]),
  component: lazyRouteComponent(() => import('./agents.tsx'), 'Agents'),
})

const pageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: '/agents/$agentId',
  loader: ({ context, params: { agentId } }) =>
    beginRead(context.organization.id, readAgent, { params: { agentId } }),
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

/** The screens of agents. */
export const agentRoutes = [listRoute, pageRoute] as const
