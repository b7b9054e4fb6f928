import { useState } from 'react'
import type { Client } from '#contract/crm/clients.ts'
import {
  endAllPortalAccess,
  endPortalAccess,
  listPortalAccess,
  type PortalAccess,
} from '#contract/crm/portal-access.ts'
import { DetailList, DetailRow, type HeadingLevel } from '../../data/detail-list.tsx'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { late } from '../../parts/late.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { portalAccessTexts } from './portal-access.words.ts'

const EndAllPortalAccessDialog = late(() =>
  import('./end-portal-access-dialog.tsx').then(dialog => dialog.EndAllPortalAccessDialog),
)

/** The portal sessions of the contacts of a client, and the mailed links that were not used (PRT-15). */
export function ClientPortal({ client, level }: { client: Client; level: HeadingLevel }) {
  const text = useWords(portalAccessTexts)
  const may = useMay()
  const [isEndingAll, setEndingAll] = useState(false)
  const { data, error, refetch } = useRead(listPortalAccess, { params: { id: client.id } })
  // not in the row, which leaves the list before the reply is shown
  const end = useAction(endPortalAccess, { refreshes: [listPortalAccess] })
  const endOne = ({ id: accessId, contactId, kind }: PortalAccess) =>
    end.mutate(
      { params: { id: contactId, accessId } },
      {
        toast: () => (kind === 'LINK' ? text.linkEnded : text.sessionEnded),
        toastsFailure: true,
      },
    )
  return (
    <>
      <DetailList
        level={level}
        title={text.title}
        rows={data?.items}
        total={data?.items.length}
        error={error}
        reload={() => void refetch()}
        rowKey={({ id }) => id}
        empty={text.none}
        action={
          data &&
          data.items.length > 0 &&
          may(endAllPortalAccess) && (
            <Button
              kind="quiet"
              size="small"
              onPress={() => setEndingAll(true)}
              onHoverStart={EndAllPortalAccessDialog.preload}
              onFocus={EndAllPortalAccessDialog.preload}
            >
              {text.endAll}
            </Button>
          )
        }
        row={access => (
          <AccessRow
            access={access}
            isBusy={end.isPending && end.variables.params?.accessId === access.id}
            onEnd={may(endPortalAccess) ? () => endOne(access) : undefined}
          />
        )}
      />
      {isEndingAll && <EndAllPortalAccessDialog client={client} onClose={() => setEndingAll(false)} />}
    </>
  )
}

function AccessRow({
  access: { kind, contactName, contactEmail, createdAt, lastUsedAt, ipAddressMasked },
  isBusy,
  onEnd,
}: {
  access: PortalAccess
  isBusy: boolean
  /** Ends it; undefined for people who may not. */
  onEnd: (() => void) | undefined
}) {
  const text = useWords(portalAccessTexts)
  const isLink = kind === 'LINK'
  const name = contactName ?? contactEmail
  return (
    <DetailRow
      name={name}
      about={
        <>
          {isLink ? text.requested : text.signedIn} <Time value={createdAt} />
          {lastUsedAt !== null && (
            <>
              {' · '}
              {text.used} <Time value={lastUsedAt} />
            </>
          )}
          {ipAddressMasked !== null && ` · ${text.from(ipAddressMasked)}`}
        </>
      }
    >
      {onEnd && (
        <Button
          kind="quiet"
          size="small"
          isBusy={isBusy}
          aria-label={isLink ? text.endLink(name) : text.endSession(name)}
          onPress={onEnd}
        >
          {text.end}
        </Button>
      )}
    </DetailRow>
  )
}
