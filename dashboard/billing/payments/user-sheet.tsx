import { useState } from 'react'
import { listAuthorizations } from '#contract/billing/authorizations.ts'
import { eraseExternalUser, putExternalUser, readExternalUser } from '#contract/billing/external-users.ts'
import { listClients } from '#contract/crm/clients.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { ReadingSection } from '../../data/reading-section.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Id } from '../../parts/id.tsx'
import { late } from '../../parts/late.tsx'
import type { MenuEntry } from '../../parts/menu.tsx'
import { MoreMenu } from '../../parts/more-menu.tsx'
import { Sheet, SheetSection } from '../../parts/sheet.tsx'
import { Time } from '../../parts/time.tsx'
import { useWords } from '../../words/words.ts'
import { DetailLink } from './detail-links.tsx'
import { UserAuthorizations } from './user-authorizations.tsx'
import { userTexts } from './users.words.ts'

const ChangeClientDialog = late(() =>
  import('./user-dialogs.tsx').then(dialogs => dialogs.ChangeClientDialog),
)
const EraseUserDialog = late(() => import('./user-dialogs.tsx').then(dialogs => dialogs.EraseUserDialog))

/** A user of an application: the client that pays, the cards, and the permissions to charge them. */
export function UserSheet({
  applicationId,
  userId,
  ...sheet
}: {
  applicationId: string
  userId: string
  onClose: () => void
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}) {
  const text = useWords(userTexts)
  const may = useMay()
  const [open, setOpen] = useState<'client' | 'erase'>()
  const params = { applicationId, userId }
  const { data: user, error } = useRead(readExternalUser, { params })
  if (!user)
    return (
      <Sheet {...sheet} title={userId}>
        <ReadingSection error={error} label={text.reading} />
      </Sheet>
    )
  const entries: MenuEntry[] = [
    ...(may(putExternalUser) && may(listClients)
      ? [{ id: 'client', label: text.change, icon: 'edit' as const, onAction: () => setOpen('client') }]
      : []),
    ...(may(eraseExternalUser)
      ? [
          {
            id: 'erase',
            label: text.erase,
            icon: 'trash' as const,
            isDangerous: true,
            onAction: () => setOpen('erase'),
          },
        ]
      : []),
  ]
  const close = () => setOpen(undefined)
  return (
    <Sheet
      {...sheet}
      title={user.name ?? userId}
      about={user.email ?? text.erasedName}
      menu={<MoreMenu label={text.actions} groups={[{ id: 'actions', entries }]} />}
    >
      <SheetSection>
        <Facts
          facts={[
            {
              term: text.client,
              value: (
                <DetailLink noun="client" id={user.clientId}>
                  {user.clientName}
                </DetailLink>
              ),
            },
            { term: text.since, value: <Time value={user.createdAt} form="date" /> },
            { term: text.id, value: <Id value={userId} /> },
          ]}
        />
      </SheetSection>
      {may(listAuthorizations) && <UserAuthorizations {...params} name={user.name ?? userId} />}
      {open === 'client' && <ChangeClientDialog user={user} onClose={close} />}
      {open === 'erase' && <EraseUserDialog user={user} onClose={close} />}
    </Sheet>
  )
}
