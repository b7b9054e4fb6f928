import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readIssuer } from '#contract/crm/issuer.ts'
import { readLetterhead } from '#contract/crm/letterhead.ts'
import { readCrmSettings } from '#contract/crm/settings.ts'
import { beginRead } from '../../data/read.ts'
import { settingsRoute } from '../../shell/parent-routes.tsx'

const crmSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/crm',
  loader: ({ context }) => beginRead(context.organization.id, readCrmSettings),
  component: lazyRouteComponent(() => import('./crm-settings.tsx'), 'CrmSettings'),
})

const issuerRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/issuer',
  loader: ({ context }) =>
    Promise.all([
      beginRead(context.organization.id, readIssuer),
      beginRead(context.organization.id, readLetterhead),
    ]),
  component: lazyRouteComponent(() => import('./issuer.tsx'), 'IssuerSettings'),
})

/** The settings of the CRM, below `/o/:organization/settings`. */
export const crmSettingsRoutes = [crmSettingsRoute, issuerRoute] as const
