import { useState } from 'react'
import { listOperatedApplications } from '#contract/integrations/critical-scopes.ts'
import { criticalScopes } from '#contract/permissions.ts'
import { textOfError } from '../../data/errors.ts'
import { useList } from '../../data/read.ts'
import { late } from '../../parts/late.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Person } from '../../parts/person.tsx'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { Tag, Tags } from '../../parts/status.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import type { Application, Organization } from './organization.ts'
import styles from './organizations.module.css'
import { organizationTexts } from './organizations.words.ts'

const GrantScopeDialog = late(() =>
  import('./grant-scope-dialog.tsx').then(dialog => dialog.GrantScopeDialog),
)

/** The applications of an organization, each with its critical scopes and the way to grant one. */
export function ApplicationList({ organization, level }: { organization: Organization; level: 2 | 3 }) {
  const text = useWords(organizationTexts)
  const language = useLanguage()
  const [granted, setGranted] = useState<Application>()
  const list = useList(listOperatedApplications, { params: { id: organization.id } })
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <>
      <Heading className={styles.subtitle}>{text.applications}</Heading>
      {list.isLoading && <Skeleton rows={2} label={text.applications} />}
      {list.error && <Problem title={textOfError(list.error, language)} />}
      {!list.isLoading && !list.error && list.items.length === 0 && (
        <p className={styles.quiet}>{text.noApplications}</p>
      )}
      <ul>
        {list.items.map(application => (
          <li key={application.id} className={styles.application}>
            <Person
              kind="application"
              name={application.name}
              about={text.scopeCount(application.scopes.length)}
            />
            <ApplicationTags application={application} />
            <MoreMenu
              label={`${text.actions}: ${application.name}`}
              size="small"
              groups={[
                {
                  id: 'actions',
                  entries: [
                    {
                      id: 'grant',
                      label: text.grant,
                      icon: 'key',
                      onAction: () => setGranted(application),
                    },
                  ],
                },
              ]}
            />
          </li>
        ))}
      </ul>
      <LoadMore {...list} shown={list.items.length} />
      {granted && (
        <GrantScopeDialog
          organizationId={organization.id}
          application={granted}
          onClose={() => setGranted(undefined)}
        />
      )}
    </>
  )
}

/** Whether the application is off, and its critical scopes; nothing for an ordinary one. */
function ApplicationTags({ application: { status, scopes } }: { application: Application }) {
  const text = useWords(organizationTexts)
  const critical = criticalScopes.filter(scope => scopes.includes(scope))
  if (status === 'ACTIVE' && critical.length === 0) return null
  return (
    <span className={styles.tags}>
      <Tags>
        {status === 'DISABLED' && <Tag icon="blocked">{text.off}</Tag>}
        {critical.map(scope => (
          <Tag key={scope} kind="warn">
            {scope}
          </Tag>
        ))}
      </Tags>
    </span>
  )
}
