import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  listApplications,
  readApplication,
  removeApplication,
  updateApplication,
} from '#contract/integrations/applications.ts'
import { listScopeRequests } from '#contract/integrations/critical-scopes.ts'
import { scopes } from '#contract/permissions.ts'
import { useCommands } from '../../data/commands.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Section } from '../../parts/page.tsx'
import { WithSheet } from '../../parts/with-sheet.tsx'
import { useWords } from '../../words/words.ts'
import type { Application } from '../application.ts'
import { ApplicationFrame, useApplication } from '../application-frame.tsx'
import type { OpenDialog } from './application-dialogs.tsx'
import { applicationFormTexts } from './application-form.words.ts'
import styles from './overview.module.css'
import { overviewTexts } from './overview.words.ts'
import { ApplicationFacts, ApplicationNotices } from './overview-parts.tsx'
import { ScopeList } from './scope-list.tsx'
import { ScopeRequests } from './scope-requests.tsx'
import { scopesTexts } from './scopes.words.ts'

const ApplicationDialogs = late(() =>
  import('./application-dialogs.tsx').then(dialogs => dialogs.ApplicationDialogs),
)
const ScopeSheet = late(() => import('./scope-sheet.tsx').then(sheet => sheet.ScopeSheet))

/** An application: its details, its scopes with what they open, and the critical scopes that were requested. */
export function ApplicationOverview() {
  const text = useWords(overviewTexts)
  const scopeText = useWords(scopesTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { data } = useApplication()
  const search = useSearch({ from: '/o/$organization/applications/$applicationId' })
  const scope = scopes.find(one => one === search.scope)
  const [open, setOpen] = useState<OpenDialog>('none')
  const entries = useEntries(data, setOpen)
  const mayChange = may(updateApplication)
  useCommands(
    entries.flatMap(({ id, label, icon, onAction }) =>
      onAction ? [{ id: `application-${id}`, label, ...(icon && { icon }), action: onAction }] : [],
    ),
  )
  useShortcuts({ e: mayChange ? { label: text.edit, action: () => setOpen('edit') } : undefined })
  return (
    <ApplicationFrame
      tab="overview"
      width="full"
      actions={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      {application => (
        <WithSheet
          sheet={
            scope && (
              <ScopeSheet
                key={scope}
                scope={scope}
                application={application}
                onClose={() => void navigate({ to: '.', search: {}, resetScroll: false })}
              />
            )
          }
        >
          <div className={styles.content}>
            <ApplicationNotices application={application} onRepair={() => setOpen('principal')} />
            <Section title={text.details}>
              <ApplicationFacts application={application} />
            </Section>
            <Section
              title={scopeText.title}
              about={scopeText.about}
              actions={
                mayChange && (
                  <Button onPress={() => setOpen('scopes')} onHoverStart={ApplicationDialogs.preload}>
                    {scopeText.change}
                  </Button>
                )
              }
            >
              <ScopeList application={application} />
            </Section>
            {may(listScopeRequests) && <ScopeRequests application={application} />}
          </div>
          {open !== 'none' && (
            <ApplicationDialogs open={open} application={application} onClose={() => setOpen('none')} />
          )}
        </WithSheet>
      )}
    </ApplicationFrame>
  )
}

/** The actions of the application, for its menu and the palette. */
function useEntries(application: Application | undefined, open: (dialog: OpenDialog) => void): MenuEntry[] {
  const text = useWords(overviewTexts)
  const formText = useWords(applicationFormTexts)
  const may = useMay()
  const update = useAction(updateApplication, { refreshes: [readApplication, listApplications] })
  if (!application) return []
  const { id, status } = application
  const enable = () =>
    update.mutate(
      { params: { id }, body: { status: 'ACTIVE' } },
      {
        toast: ({ name }) => formText.enabled(name),
        toastsFailure: true,
      },
    )
  const changes: MenuEntry[] = [
    { id: 'edit', label: text.edit, icon: 'edit', shortcut: 'e', onAction: () => open('edit') },
    { id: 'principal', label: text.changePrincipal, icon: 'person', onAction: () => open('principal') },
    status === 'ACTIVE'
      ? { id: 'disable', label: text.disable, icon: 'blocked', onAction: () => open('disable') }
      : { id: 'enable', label: text.enable, icon: 'done', onAction: enable },
  ]
  return [
    ...(may(updateApplication) ? changes : []),
    ...(may(removeApplication)
      ? [
          {
            id: 'remove',
            label: text.remove,
            icon: 'trash' as const,
            isDangerous: true,
            onAction: () => open('remove'),
          },
        ]
      : []),
  ]
}
