import { type ReactNode, useState } from 'react'
import { type Entry, installEntry, reportEntry } from '#contract/marketplace/entries.ts'
import { updateInstall } from '#contract/marketplace/installs.ts'
import { readSubmission } from '#contract/marketplace/review-queue.ts'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { useWords } from '../../words/words.ts'
import { UpdateDialog } from '../installs/late-update-dialog.ts'
import { entryTexts } from './entry.words.ts'

const InstallDialog = late(() => import('./install-dialog.tsx').then(dialog => dialog.InstallDialog))
const ReportDialog = late(() => import('./report-dialog.tsx').then(dialog => dialog.ReportDialog))

/** The actions of an entry: the next step, a menu, and the dialogs that they open. */
export function useEntryActions(entry: Entry): {
  primary: ReactNode
  menu: MenuEntry[]
  dialogs: ReactNode
} {
  const text = useWords(entryTexts)
  const may = useMay()
  const { address } = useOrganization()
  const knownHref = useKnownHref()
  const [open, setOpen] = useState<'install' | 'report' | 'update'>()
  const { installed, isOwn, status } = entry
  const isListed = status === 'APPROVED'
  const mayInstall = isListed && !isOwn && may(installEntry)
  const mayUpdate = installed?.updateAvailable === true && may(updateInstall)
  const queueHref = may(readSubmission) && knownHref('/operator/submissions')
  useShortcuts({
    i: mayInstall && !installed ? { label: text.install, action: () => setOpen('install') } : undefined,
    u: mayUpdate ? { label: text.update(entry.version), action: () => setOpen('update') } : undefined,
  })
  const copyHref = `/o/${encodeURIComponent(address)}/marketplace/installs?open=${installed?.installId ?? ''}`
  return {
    primary: mayUpdate ? (
      <Button
        kind="primary"
        shortcut="u"
        onPress={() => setOpen('update')}
        onHoverStart={UpdateDialog.preload}
      >
        {text.update(entry.version)}
      </Button>
    ) : installed ? (
      <ButtonLink href={copyHref}>{text.openCopy}</ButtonLink>
    ) : (
      mayInstall && (
        <Button
          kind="primary"
          icon="download"
          shortcut="i"
          onPress={() => setOpen('install')}
          onHoverStart={InstallDialog.preload}
          onFocus={InstallDialog.preload}
        >
          {text.install}
        </Button>
      )
    ),
    menu: [
      ...(mayUpdate
        ? [{ id: 'copy', label: text.openCopy, icon: 'marketplace' as const, href: copyHref }]
        : []),
      ...(mayInstall && installed
        ? [
            {
              id: 'again',
              label: text.installAgain,
              icon: 'download' as const,
              onAction: () => setOpen('install'),
            },
          ]
        : []),
      ...(queueHref
        ? [
            {
              id: 'review',
              label: text.openReview,
              icon: 'operator' as const,
              href: `${queueHref}/${entry.id}`,
            },
          ]
        : []),
      ...(isListed && !isOwn && may(reportEntry)
        ? [{ id: 'report', label: text.report, icon: 'flag' as const, onAction: () => setOpen('report') }]
        : []),
    ],
    dialogs: (
      <>
        {open === 'install' && <InstallDialog entry={entry} onClose={() => setOpen(undefined)} />}
        {open === 'report' && <ReportDialog entry={entry} onClose={() => setOpen(undefined)} />}
        {open === 'update' && installed && (
          <UpdateDialog
            installId={installed.installId}
            name={entry.name}
            onClose={() => setOpen(undefined)}
          />
        )}
      </>
    ),
  }
}
