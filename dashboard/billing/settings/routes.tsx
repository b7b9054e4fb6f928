import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { listConsentTexts } from '#contract/billing/consent.ts'
import { readGatewayAccount } from '#contract/billing/gateway.ts'
import { readReminderSettings } from '#contract/billing/reminders.ts'
import { readBillingSettings } from '#contract/billing/settings.ts'
import { listInvoiceTemplates } from '#contract/billing/templates.ts'
import { beginList, beginRead } from '../../data/read.ts'
import { settingsRoute } from '../../shell/parent-routes.tsx'

const billingRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/billing',
  loader: ({ context }) => beginRead(context.organization.id, readBillingSettings),
  component: lazyRouteComponent(() => import('./billing-settings.tsx'), 'BillingSettings'),
})

const gatewayRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/gateway',
  loader: ({ context }) => beginRead(context.organization.id, readGatewayAccount, undefined, { staleMs: 0 }),
  component: lazyRouteComponent(() => import('./gateway.tsx'), 'Gateway'),
})

const templatesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/templates',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  loader: ({ context }) => beginRead(context.organization.id, listInvoiceTemplates),
  component: lazyRouteComponent(() => import('./templates.tsx'), 'Templates'),
})

const remindersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/reminders',
  loader: ({ context }) => beginRead(context.organization.id, readReminderSettings),
  component: lazyRouteComponent(() => import('./reminders.tsx'), 'Reminders'),
})

const consentRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/consent',
  validateSearch: ({ open }: Record<string, unknown>): { open?: string } =>
    typeof open === 'string' ? { open } : {},
  loader: ({ context }) => beginList(context.organization.id, listConsentTexts),
  component: lazyRouteComponent(() => import('./consent.tsx'), 'Consent'),
})

/** The settings of billing: series, templates, reminders, the payment gateway. */
export const billingSettingsRoutes = [
  billingRoute,
  gatewayRoute,
  templatesRoute,
  remindersRoute,
  consentRoute,
] as const
