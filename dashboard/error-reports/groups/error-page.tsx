import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { textOfError } from '../../data/errors.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useShortcuts } from '../../data/shortcuts.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Page } from '../../parts/page.tsx'
import { useIsPhone } from '../../parts/phone.ts'
import { Problem, Skeleton } from '../../parts/states.tsx'
import { EntityAssets } from '../../studio/index.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { isOpenTicket } from '../tickets/ticket.rules.ts'
import { type ErrorDetail, type ErrorGroupItem, titleOf } from './error.ts'
import { ErrorBody } from './error-body.tsx'
import type { ErrorDialog } from './error-dialog.ts'
import { ErrorDialogs } from './error-dialogs.tsx'
import { ErrorSeverity } from './error-status.tsx'
import { errorChangeTexts, errorTexts } from './errors.words.ts'
import { useErrorActions } from './use-error-actions.ts'
import { useErrorChanges } from './use-error-changes.ts'
import { useError } from './use-errors.ts'

/** The page of an error. */
export function ErrorPage() {
  const text = useWords(errorTexts)
  const language = useLanguage()
  const { address } = useOrganization()
  const { errorId } = useParams({ from: '/o/$organization/errors/$errorId' })
  const { summary, detail, error, isMissing, reload } = useError(errorId)
  if (summary && detail) return <LoadedPage key={errorId} summary={summary} error={detail} />
  return (
    <Page title={summary ? titleOf(summary) : text.error}>
      {isMissing ? (
        <Problem
          title={text.notHere}
          action={<ButtonLink href={`/o/${encodeURIComponent(address)}/errors`}>{text.toErrors}</ButtonLink>}
        />
      ) : error ? (
        <Problem
          title={textOfError(error, language)}
          action={<Button onPress={reload}>{text.again}</Button>}
        />
      ) : (
        <Skeleton rows={8} label={text.reading} />
      )}
    </Page>
  )
}

function LoadedPage({ summary, error }: { summary: ErrorGroupItem; error: ErrorDetail }) {
  const text = useWords(errorTexts)
  const changeText = useWords(errorChangeTexts)
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const { address } = useOrganization()
  const [dialog, setDialog] = useState<ErrorDialog>({ kind: 'none' })
  const changes = useErrorChanges()
  const actionsOf = useErrorActions(
    changes,
    setDialog,
    ({ applicationId, ticketId }) =>
      void navigate({
        href: `/o/${encodeURIComponent(address)}/errors/tickets?application=${applicationId}&open=${ticketId}`,
      }),
  )
  const [primary, silence, ticket, ...others] = actionsOf(error, isOpenTicket(error.ticket))
  const beside = [silence, ticket].filter(entry => entry !== undefined)
  const isInMenu = (entry: (typeof beside)[number]) => isPhone || entry.isDisabled
  useShortcuts(
    {
      ...Object.fromEntries(
        [primary, ...beside].flatMap(entry =>
          entry?.shortcut && entry.onAction && !entry.isDisabled
            ? [[entry.shortcut, { label: entry.label, action: entry.onAction }]]
            : [],
        ),
      ),
      u: changes.undo && { label: changeText.undo, action: changes.undo },
    },
    text.error,
  )
  return (
    <Page
      title={titleOf(error)}
      beside={!isPhone && <ErrorSeverity severity={error.severity} />}
      width="full"
      actions={
        <>
          <MoreMenu
            label={text.actions}
            groups={[{ id: 'actions', entries: [...beside.filter(isInMenu), ...others] }]}
          />
          {beside
            .filter(entry => !isInMenu(entry))
            .map(({ id, label, shortcut, onAction }) => (
              <Button key={id} {...(shortcut && { shortcut })} onPress={() => onAction?.()}>
                {label}
              </Button>
            ))}
          {primary && (
            <Button kind="primary" shortcut="e" onPress={() => primary.onAction?.()}>
              {primary.label}
            </Button>
          )}
        </>
      }
    >
      <ErrorBody error={error} applicationName={summary.applicationName} isPage>
        <EntityAssets entityType="error" entityId={error.id} level={2} />
      </ErrorBody>
      <ErrorDialogs dialog={dialog} changes={changes} onClose={() => setDialog({ kind: 'none' })} />
    </Page>
  )
}
