import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { readApplication } from '#contract/integrations/applications.ts'
import { textOfError } from '../data/errors.ts'
import { useKnownHref } from '../data/known-href.ts'
import { useOrganization } from '../data/organization.tsx'
import { useRead } from '../data/read.ts'
import { ButtonLink } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { Problem, Skeleton } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useLanguage, useWords, words } from '../words/words.ts'
import type { Application } from './application.ts'
import { type ApplicationTab, useApplicationHref } from './application-links.ts'
import { ApplicationStatus } from './application-status.tsx'

const texts = words({
  es: {
    application: 'Aplicación',
    reading: 'Leyendo la aplicación',
    list: 'Ver todas las aplicaciones',
    overview: 'Resumen',
    keys: 'Claves',
    webhook: 'Webhook',
    deliveries: 'Entregas',
    recovery: 'Recuperación',
    errors: 'Errores',
  },
  en: {
    application: 'Application',
    reading: 'Reading the application',
    list: 'See all applications',
    overview: 'Overview',
    keys: 'Keys',
    webhook: 'Webhook',
    deliveries: 'Deliveries',
    recovery: 'Recovery',
    errors: 'Errors',
  },
})
const tabs: readonly ApplicationTab[] = ['overview', 'keys', 'webhook', 'deliveries', 'recovery']

/** The application in the address. */
export function useApplication() {
  // every tab of an application has the parameter
  const { applicationId = '' } = useParams({ strict: false })
  return { applicationId, ...useRead(readApplication, { params: { id: applicationId } }) }
}

/** The page around a tab of an application: its name and state, its tabs, and what is wrong with it. */
export function ApplicationFrame({
  tab,
  width = 'text',
  actions,
  below,
  children,
}: {
  tab: ApplicationTab
  width?: 'text' | 'full'
  actions?: ReactNode
  /** A line below the tabs, such as filters. */
  below?: ReactNode
  /** The content, once the application was read. */
  children: (application: Application) => ReactNode
}) {
  const text = useWords(texts)
  const language = useLanguage()
  const { address } = useOrganization()
  const { applicationId, data, error } = useApplication()
  const hrefOf = useApplicationHref()
  const knownHref = useKnownHref()
  const errorsHref = knownHref('errors', `?application=${encodeURIComponent(applicationId)}`)
  return (
    <Page
      title={data?.name ?? text.application}
      width={width}
      beside={data && <ApplicationStatus status={data.status} />}
      actions={data && actions}
      below={
        <>
          <Tabs
            label={data?.name ?? text.application}
            current={tab}
            tabs={[
              ...tabs.map(id => ({ id, title: text[id], href: hrefOf(applicationId, id) })),
              ...(errorsHref === undefined ? [] : [{ id: 'errors', title: text.errors, href: errorsHref }]),
            ]}
          />
          {data && below}
        </>
      }
    >
      {data ? (
        children(data)
      ) : error ? (
        <Problem
          title={textOfError(error, language)}
          action={
            <ButtonLink href={`/o/${encodeURIComponent(address)}/applications`}>{text.list}</ButtonLink>
          }
        />
      ) : (
        <Skeleton rows={6} label={text.reading} />
      )}
    </Page>
  )
}
